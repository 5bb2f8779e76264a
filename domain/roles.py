"""Roles: what an element is to assistive technology, and whether its name is expected to come from what it shows.

Sources: HTML-AAM 1.0 (implicit roles), WAI-ARIA 1.2 sections 5.3 (kinds of roles), 5.2.8.4 (roles supporting name from content)
and 7.1 (where a presentational role does not hold), DPUB-ARIA 1.1.
"""

from __future__ import annotations

import regex

from domain.capture import AccessibleName
from domain.reading import Element

FROM_CONTENT = frozenset(
    {
        "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
        "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem", "summary",
    }
)  # fmt: skip
WIDGETS = frozenset(
    {
        "button", "checkbox", "gridcell", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch",
        "tab", "treeitem",
    }
)  # fmt: skip
"""The widget roles (5.3.2) among those named from content: what ACT rule 2ee8b8 applies to."""
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
    "h5": "heading", "h6": "heading", "td": "cell", "tr": "row", "option": "option", "textarea": "textbox",
    "nav": "navigation", "main": "main", "aside": "complementary", "article": "article", "form": "form",
    "ul": "list", "ol": "list", "menu": "list", "dl": "list", "li": "listitem", "dt": "term", "dd": "definition", "dfn": "term",
    "table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tfoot": "rowgroup", "fieldset": "group", "details": "group",
    "dialog": "dialog", "img": "img", "svg": "img", "figure": "figure", "p": "paragraph", "time": "time", "code": "code",
    "em": "emphasis", "strong": "strong", "del": "deletion", "s": "deletion", "ins": "insertion", "sub": "subscript",
    "sup": "superscript", "caption": "caption", "mark": "mark", "label": "label", "legend": "legend", "output": "status",
    "progress": "progressbar", "meter": "meter", "address": "group", "blockquote": "blockquote", "hr": "separator",
    "optgroup": "group", "hgroup": "group", "search": "search", "iframe": "frame", "frame": "frame", "html": "document",
    "body": "document", "canvas": "img", "video": "video", "audio": "audio", "object": "object", "embed": "object",
    "math": "math",
}  # fmt: skip
_INPUTS = {
    "button": "button", "submit": "button", "reset": "button", "image": "button", "checkbox": "checkbox", "radio": "radio",
    "range": "slider", "number": "spinbutton", "search": "searchbox",
}  # fmt: skip
_KNOWN = frozenset(_IMPLICIT.values()) | {
    "alert", "alertdialog", "application", "banner", "columnheader", "contentinfo", "feed", "graphics-document",
    "graphics-object", "graphics-symbol", "grid", "log", "marquee", "menubar", "menu", "radiogroup", "region", "tablist",
    "tabpanel", "toolbar", "tree", "treegrid",
}  # fmt: skip
# Two names of one role, and roles of publishing that are links.
_SYNONYMS = {
    "image": "img", "directory": "list", "doc-backlink": "link", "doc-biblioref": "link", "doc-glossref": "link",
    "doc-noteref": "link", "doc-subtitle": "heading",
}  # fmt: skip
# Chromium's own words for what has no role in ARIA.
_CHROMIUM = {
    "DisclosureTriangle": "summary", "DisclosureTriangleGrouped": "summary", "LabelText": "label", "Legend": "legend",
    "Iframe": "frame", "Canvas": "img", "SvgRoot": "img", "RootWebArea": "document", "Date": "textbox", "DateTime": "textbox",
    "InputTime": "textbox", "ColorWell": "textbox", "sectionheader": "group", "sectionfooter": "group", "Details": "group",
    "EmbeddedObject": "object", "PluginObject": "object", "Video": "video", "Audio": "audio", "MathMLMath": "math",
}  # fmt: skip
_SECTIONING = regex.compile(r"(?:^|> |>>> )(?:article|aside|main|nav|section)(?::nth-child\(\d+\))? >")
_FOCUSABLE = frozenset({"button", "summary", "textarea", "select", "input", "iframe"})


def _synonym(role: str) -> str:
    if role.startswith("doc-"):
        return _SYNONYMS.get(role, "group")
    return _SYNONYMS.get(role, role)


def _is_role(role: str) -> bool:
    return role in FROM_CONTENT or role in ENTRY or role in PLAIN or role in _KNOWN


def role_in(element: Element, accessible: AccessibleName | None) -> str:
    """What the author says; else what the browser says, which knows what is around the element; else what HTML implies.

    The author goes first: browsers drop a role whose surroundings are missing (a treeitem in no tree), and the name is none the
    less meant for what the element shows.
    """
    if (given := _given(element)) not in {"", "none", "presentation"}:
        return given
    if accessible is None or accessible.ignored or accessible.role in {"none", "generic"}:
        return role_of(element)
    told = _CHROMIUM.get(accessible.role, _synonym(accessible.role))
    return told if _is_role(told) else role_of(element)


def role_of(element: Element) -> str:
    """The first known role that the author gave, else the one that HTML implies. Unknown elements are generic."""
    return _given(element) or _implied(element)


def _given(element: Element) -> str:
    """The first known role that the author gave, or ""."""
    for given in element.attributes.get("role", "").lower().split():
        role = _synonym(given)
        if role in {"none", "presentation"} and _held(element):
            break  # a role that hides does not hold where the element is named or can be focused
        # A summary has no role that an author could give.
        if _is_role(role) and role != "summary":
            return role
    return ""


def _held(element: Element) -> bool:
    """A presentational role does not hold: the element has a name of the author's, or takes the focus (WAI-ARIA 1.2, 7.1)."""
    named = any(element.attributes.get(a, "").strip() for a in ("aria-label", "aria-labelledby"))
    tabbed = element.attributes.get("tabindex", "").strip().lstrip("+-").isdigit()
    takes_focus = element.tag in _FOCUSABLE or (element.tag in {"a", "area"} and "href" in element.attributes)
    return named or tabbed or takes_focus


def _implied(element: Element) -> str:
    attributes = element.attributes
    match element.tag:
        case "input":
            return _INPUTS.get(attributes.get("type", "text").lower(), "textbox")
        case "select":
            size = attributes.get("size", "")
            many = "multiple" in attributes or (size.isdigit() and int(size) > 1)
            return "listbox" if many else "combobox"
        case "a" | "area":
            return "link" if "href" in attributes else "generic"
        case "th":
            return "rowheader" if attributes.get("scope", "").lower() in {"row", "rowgroup"} else "columnheader"
        case "header" | "footer":
            whole = not _SECTIONING.search(element.path)
            return ("banner" if element.tag == "header" else "contentinfo") if whole else "group"
        case "section":
            return (
                "region"
                if any(attributes.get(a, "").strip() for a in ("aria-label", "aria-labelledby", "title"))
                else "generic"
            )
        case "img" if attributes.get("alt") == "" and not _held(element):
            return "none"
        case "div" | "span" | "p" if attributes.get("contenteditable", "false").lower() in {"", "true", "plaintext-only"}:
            return "textbox"  # it says nothing of its own, and its text is what somebody writes there
        case tag:
            return _IMPLICIT.get(tag, "generic")
