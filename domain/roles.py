"""Roles: what an element is to assistive technology, and whether its name is expected to come from what it shows.

Sources: HTML-AAM 1.0 (implicit roles), WAI-ARIA 1.2 section 5.2.8.4 (roles supporting name from content).
"""

from __future__ import annotations

from domain.reading import Element

FROM_CONTENT = frozenset(
    {
        "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
        "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem", "summary",
    }
)  # fmt: skip
# Roles whose shown text is a value or an entry, not a label.
ENTRY = frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "scrollbar", "progressbar", "meter"})
# Roles that say nothing of their own: a label on them speaks for the text they hold, where they hold nothing else.
PLAIN = frozenset(
    {
        "generic", "paragraph", "listitem", "term", "definition", "time", "code", "emphasis", "strong", "deletion", "insertion",
        "subscript", "superscript", "caption", "note", "status", "timer", "mark", "label", "legend", "none", "presentation",
    }
)  # fmt: skip

_IMPLICIT = {
    "button": "button", "summary": "summary", "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading",
    "h5": "heading", "h6": "heading", "td": "cell", "th": "columnheader", "tr": "row", "option": "option", "textarea":
        "textbox",
    "nav": "navigation", "main": "main", "aside": "complementary", "section": "region", "article": "article", "form": "form",
    "ul": "list", "ol": "list", "menu": "list", "dl": "list", "li": "listitem", "dt": "term", "dd": "definition",
    "table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tfoot": "rowgroup", "fieldset": "group", "details": "group",
    "dialog": "dialog", "img": "img", "svg": "img", "figure": "figure", "header": "banner", "footer": "contentinfo",
    "p": "paragraph", "time": "time", "code": "code", "em": "emphasis", "strong": "strong", "del": "deletion",
    "ins": "insertion",
    "sub": "subscript", "sup": "superscript", "caption": "caption", "mark": "mark", "label": "label", "legend": "legend",
    "output": "status", "progress": "progressbar", "meter": "meter", "address": "group", "blockquote": "blockquote",
    "hr": "separator", "optgroup": "group", "hgroup": "group", "search": "search",
    "iframe": "frame", "frame": "frame", "html": "document", "body": "document", "canvas": "img", "video": "video",
    "audio": "audio", "object": "object", "embed": "object", "math": "math",
}  # fmt: skip
_INPUTS = {
    "button": "button", "submit": "button", "reset": "button", "image": "button", "checkbox": "checkbox", "radio": "radio",
    "range": "slider", "number": "spinbutton", "search": "searchbox",
}  # fmt: skip


def role_of(element: Element) -> str:
    """The first known role that the author gave, else the one that HTML implies. Unknown elements are generic."""
    for given in element.attributes.get("role", "").lower().split():
        if given in FROM_CONTENT or given in ENTRY or given in PLAIN or given in _KNOWN:
            return given
    if element.tag == "input":
        return _INPUTS.get(element.attributes.get("type", "text").lower(), "textbox")
    if element.tag == "select":
        size = element.attributes.get("size", "")
        many = "multiple" in element.attributes or (size.isdigit() and int(size) > 1)
        return "listbox" if many else "combobox"
    if element.tag in {"a", "area"}:
        return "link" if "href" in element.attributes else "generic"
    return _IMPLICIT.get(element.tag, "generic")


_KNOWN = frozenset(_IMPLICIT.values()) | {
    "alert", "alertdialog", "application", "feed", "grid", "group", "log", "marquee", "menu", "menubar", "radiogroup",
        "separator",
    "tablist", "tabpanel", "toolbar", "tree", "treegrid", "directory", "graphics-document", "graphics-symbol", "image",
}  # fmt: skip
