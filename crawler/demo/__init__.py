"""A small site of our own, to crawl without asking anybody: prices that move, a form that changed, labels that lie."""

PAGES = ("/", "/trade.html", "/stations.html")
