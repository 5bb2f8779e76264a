"""The crawl as it goes on: what the dashboard shows."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.watching import CrawlNow
from store.progress import Crawl

router = APIRouter()


@router.get("/crawl", response_model=Crawl)
def show_crawl(request: Request, now: CrawlNow) -> Response:
    """The queue, the workers, the hosts and why they rest, and the visits of the last hour. Ask again with its ETag."""
    return answers.record(request, now)
