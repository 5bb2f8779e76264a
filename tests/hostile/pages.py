"""Pages that mean harm, by what they try, and how a visit to each must end.

In their text: $VICTIM is host:port of a server on this machine that no page may reach, $UDP of one for datagrams, $SITE is
the page's own host:port, $OTHER the same server under another site's name, $TURN a name that changes its address.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.pages.server import GONE, HTML, page

PRIVATE = "private-request-refused"
FULL = "limits-reached"
MB = 1 << 20


@dataclass(frozen=True)
class Hostile:
    """One page. ends: the outcomes it may end in; incidents: those that must be in the record."""

    body: str | Callable[[Any, dict[str, str]], None]
    ends: tuple[str, ...] = ("captured",)
    incidents: tuple[str, ...] = ()
    slow: bool = False
    host: str = "$SITE"
    """Where it is opened; another name for the same server."""
    limits: dict[str, int] = field(default_factory=dict)
    """Settings of its own, where it is tried alone."""


def script(source: str) -> str:
    return (
        f"<p>Words enough to be a page, with a <button aria-label='Add to list'>Buy now</button></p><script>{source}</script>"
    )


def frame(source: str) -> str:
    return script(
        f"const f = document.createElement('iframe'); f.srcdoc = `<script>{source}<\\/script>`; document.body.append(f);"
    )


def stream(first: bytes, piece: Callable[[int], bytes], every_s: float = 0, mime: str = HTML, **headers: str) -> Any:
    """A body without end."""

    def send(handler: Any, _names: dict[str, str]) -> None:
        handler.begin(mime, **headers)
        with suppress(*GONE):
            handler.write(first)
        handler.drip(piece, every_s)

    return send


def _head_without_end(handler: Any, _names: dict[str, str]) -> None:
    handler.close_connection = True
    with suppress(*GONE):
        handler.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
        for number in range(2000):
            handler.write(b"X-%d: %s\r\n" % (number, b"y" * 1000))


def _gzip_bomb(handler: Any, _names: dict[str, str]) -> None:
    body = gzip.compress(b"<!doctype html><title>Bomb</title><p>Boom</p><!--" + b" " * (200 * MB) + b"-->", 9)
    handler.send(body, Content_Encoding="gzip")


def _redirects(handler: Any, _names: dict[str, str]) -> None:
    handler.redirect(302, f"/hostile/redirect-endless?n={handler.server.next_count()}")


def to(target: str) -> Callable[[Any, dict[str, str]], None]:
    def send(handler: Any, names: dict[str, str]) -> None:
        handler.redirect(302, fill(target, names))

    return send


def fill(text: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"${name}", value)
    return text


HANGS = {
    "hang-at-load": Hostile(script("while (true);"), ("timeout",)),
    "hang-later": Hostile(script("onload = () => setTimeout(() => { while (true); }, 30);"), ("timeout",), slow=True),
    "hang-promises": Hostile(script("const again = () => Promise.resolve().then(again); again();"), ("timeout",), slow=True),
    "hang-worker": Hostile(script("for (let n = 0; n < 4; n++) new Worker('data:,while(true);');"), slow=True),
    "hang-iframe": Hostile(frame("while (true);"), ("timeout",)),
    "hang-sync-xhr": Hostile(
        script("const x = new XMLHttpRequest(); x.open('GET', '/slow-headers', false); x.send();"), ("timeout",)
    ),
    "hang-regexp": Hostile(script(r"/^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(64));"), ("timeout",), slow=True),
}
EXHAUSTS = {
    "dom-growth": Hostile(
        script("setInterval(() => { for (let n = 0; n < 2000; n++) document.body.append(document.createElement('p')); }, 0);"),
        ("captured", "too-large", "timeout"),
        slow=True,
    ),
    "dom-growth-at-once": Hostile(
        script("for (;;) document.body.append(document.createElement('p'));"), ("timeout", "browser-crashed"), slow=True
    ),
    "nodes-20k": Hostile("<p>Row</p>" * 20_000, ("too-large",)),
    "big-string": Hostile(script("const all = []; for (let n = 0; n < 2; n++) all.push('x'.repeat(2 ** 29 - 24));")),
    "big-buffers": Hostile(
        script("const all = []; try { for (;;) all.push(new ArrayBuffer(2 ** 28)); } catch { all.length = 4; }")
    ),
    "memory": Hostile(
        script("const all = []; setInterval(() => all.push(new Array(4e6).fill(Math.random())), 0);"),
        ("captured", "timeout", "browser-crashed"),
        slow=True,
    ),
    "big-canvas": Hostile(
        script(
            "const c = document.createElement('canvas'); c.width = c.height = 30000; document.body.append(c);"
            "const x = c.getContext('2d'); x && x.fillRect(0, 0, 30000, 30000);"
        )
    ),
    "deep-nesting": Hostile("<div>" * 100_000 + "Deep", ("captured", "too-large", "browser-crashed", "timeout"), slow=True),
    "deep-by-script": Hostile(
        script(
            "let at = document.body; for (let n = 0; n < 20000; n++) {"
            " const d = document.createElement('div'); at.append(d); at = d; }"
        ),
        ("captured", "too-large", "browser-crashed", "failed", "timeout"),
    ),
    "body-without-end": Hostile(
        stream(page("Endless", "<p>Words</p>").encode(), lambda _: b"<p>more words</p>" * 4000),
        ("too-large", "timeout"),
        slow=True,
    ),
    "bytes-without-end": Hostile(
        stream(page("Endless", "<p>Words</p>").encode(), lambda _: b"<!--" + b" " * MB + b"-->"),
        ("captured", "too-large"),
        (FULL,),
    ),
    "drip-without-end": Hostile(stream(page("Drip", "<p>Words</p>").encode(), lambda n: f"<p>{n}</p>".encode(), 0.05)),
    "head-without-end": Hostile(_head_without_end, ("too-large",)),
    "gzip-bomb": Hostile(_gzip_bomb, ("too-large", "timeout", "captured", "browser-crashed"), slow=True),
    "requests": Hostile(
        # The last fifty hold the page up until they are answered or refused: however slow the machine, it is read after them.
        script(
            "for (let n = 0; n < 300; n++) fetch('/ok?' + n).catch(() => 0);"
            "const x = new XMLHttpRequest();"
            "for (let n = 0; n < 50; n++) try { x.open('GET', '/ok?x' + n, false); x.send(); } catch {}"
        ),
        ("captured",),
        (FULL,),
    ),
    "beacons": Hostile(
        script("for (let n = 0; n < 3000; n++) navigator.sendBeacon('/ok?' + n, 'x'.repeat(60000));"),
        ("captured", "timeout"),
        slow=True,
    ),
    "timers": Hostile(
        script("for (let n = 0; n < 20000; n++) setInterval(() => { document.title = Math.random(); }, 0);"),
        ("captured", "timeout"),
        slow=True,
    ),
    "iframes-in-iframes": Hostile(
        script(
            "for (let n = 0; n < 3; n++) { const f = document.createElement('iframe');"
            " f.src = location.pathname + '?' + Math.random(); document.body.append(f); }"
        ),
        ("captured", "timeout"),
        (FULL,),
        slow=True,
    ),
    "storage": Hostile(
        script(
            "try { for (let n = 0; ; n++) localStorage[n] = 'x'.repeat(1e6); } catch {}"
            "(async () => { const c = await caches.open('x');"
            " for (let n = 0; n < 50; n++) await c.put('/' + n, new Response(new Uint8Array(2e6))); })();"
            "indexedDB.open('x').onupgradeneeded = e => { const s = e.target.result.createObjectStore('s');"
            " for (let n = 0; n < 50; n++) s.put(new Uint8Array(2e6), n); };"
        ),
        ends=("captured", "timeout"),
        slow=True,
    ),
    "sockets": Hostile(
        # A browser opens one after another to the same host: something that never comes gives them the time to be many.
        script("for (let n = 0; n < 400; n++) new WebSocket('ws://$SITE/ok?' + n);") + "<img alt='' src='/never/image.png'>",
        ("captured", "timeout"),
        (FULL,),
        slow=True,
        limits={"max_visit_requests": 12},
    ),
}
ESCAPES = {
    "window-storm": Hostile(script("for (let n = 0; n < 200; n++) open('/ok?' + n); setInterval(() => open('/ok'), 10);")),
    "dialogs": Hostile(
        script("for (let n = 0; n < 30; n++) { alert(n); confirm(n); prompt(n); }"),
        ("captured", "timeout", "failed"),
        ("dialog-dismissed",),
    ),
    "beforeunload": Hostile(script("onbeforeunload = e => { e.preventDefault(); e.returnValue = 'Stay'; return 'Stay'; };")),
    "downloads": Hostile(
        script(
            "setInterval(() => { const a = document.createElement('a'); a.href = '/download'; a.download = 'x';"
            " document.body.append(a); a.click(); }, 20);"
        ),
        incidents=("download-denied",),
    ),
    "protocols": Hostile(
        script(
            "for (const to of ['mailto:a@b.test', 'tel:1', 'ms-settings:x', 'vscode://x', 'custom:x', 'steam://run/1']) {"
            " const f = document.createElement('iframe'); f.src = to; document.body.append(f);"
            " try { location.href = to; } catch {} }"
            "navigator.registerProtocolHandler('web+x', '/?%s');"
        )
    ),
    "file-chooser": Hostile(
        script(
            "const i = document.createElement('input'); i.type = 'file'; document.body.append(i);"
            "setInterval(() => { i.click(); try { i.showPicker(); } catch {}"
            " self.showOpenFilePicker?.().catch(() => 0); }, 20);"
        )
    ),
    "permissions": Hostile(
        script(
            "Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0);"
            "const no = () => 0; navigator.mediaDevices?.getUserMedia({ video: true, audio: true }).catch(no);"
            "navigator.clipboard?.readText().catch(no); navigator.requestMIDIAccess?.({ sysex: true }).catch(no);"
            "navigator.usb?.requestDevice({ filters: [] }).catch(no); navigator.serial?.requestPort().catch(no);"
            "navigator.storage.persist(); navigator.wakeLock?.request('screen').catch(no);"
        )
    ),
    "push-state": Hostile(
        script("let n = 0; setInterval(() => { for (let k = 0; k < 50; k++) history.pushState(0, '', '?' + n++); }, 0);"),
        ends=("captured", "timeout"),
        slow=True,
    ),
    "reload-loop": Hostile(script("setTimeout(() => location.reload(), 0);"), ("navigated", "timeout"), slow=True),
    "print": Hostile(script("setInterval(() => print(), 10);"), slow=True),
    "fullscreen": Hostile(
        script(
            "setInterval(() => { document.documentElement.requestFullscreen().catch(() => 0);"
            " document.body.requestPointerLock(); }, 10);"
        )
    ),
    "service-worker": Hostile(
        script(
            "navigator.serviceWorker.register('/hostile-worker.js').then(() => navigator.serviceWorker.ready)"
            ".then(() => fetch('http://$VICTIM/from-page')).catch(() => 0);"
        ),
        incidents=(PRIVATE,),
    ),
}
REDIRECTS = {
    "redirect-endless": Hostile(_redirects, ("redirect-loop",)),
    "redirect-file": Hostile(to("file:///etc/passwd"), ("refused-scheme",)),
    "redirect-data": Hostile(to("data:text/html,<p>x"), ("refused-scheme",)),
    "redirect-script": Hostile(to("javascript:alert(1)"), ("connection-failed",)),
    "redirect-chrome": Hostile(to("chrome://version"), ("refused-scheme",)),
    "redirect-private": Hostile(to("http://$VICTIM/"), ("refused-private-address",), (PRIVATE,)),
    "redirect-private-odd": Hostile(to("http://2130706433:$VICTIM_PORT/"), ("refused-private-address",), (PRIVATE,)),
    "redirect-away": Hostile(to("http://$OTHER/ok"), ("redirected-away",)),
    "refresh-private": Hostile(
        "<meta http-equiv=refresh content='0;url=http://$VICTIM/'><p>x", ("refused-private-address",), (PRIVATE,)
    ),
    "refresh-away": Hostile("<meta http-equiv=refresh content='0;url=http://$OTHER/ok'><p>x", ("redirected-away",)),
    "script-private": Hostile(script("location = 'http://$VICTIM/';"), ("refused-private-address",), (PRIVATE,)),
    "script-file": Hostile(script("location = 'file:///etc/passwd';")),
    "post-private": Hostile(
        "<form method=post action='http://$VICTIM/'><input name=a value=b></form><script>document.forms[0].submit()</script>",
        ("refused-private-address",),
        (PRIVATE,),
    ),
}


def _reaches(source: str) -> Hostile:
    return Hostile(script(source), incidents=(PRIVATE,))


REACHES = {
    "reach-fetch": _reaches(
        "for (const mode of ['cors', 'no-cors']) fetch('http://$VICTIM/',"
        " { mode, method: 'POST', body: 'x' }).catch(() => 0);"
        "fetch('http://$VICTIM/', { keepalive: true, mode: 'no-cors' }).catch(() => 0);"
        "fetch('https://$VICTIM/').catch(() => 0);"
    ),
    "reach-img": Hostile("<p>Words</p><img src='http://$VICTIM/' srcset='http://$VICTIM/2 2x'>", incidents=(PRIVATE,)),
    "reach-iframe": Hostile("<p>Words</p><iframe src='http://$VICTIM/'></iframe>", incidents=(PRIVATE,)),
    "reach-script": Hostile("<p>Words</p><script src='http://$VICTIM/'></script>", incidents=(PRIVATE,)),
    "reach-css": Hostile(
        "<style>@import url(http://$VICTIM/i.css); @font-face { font-family: f; src: url(http://$VICTIM/f) }"
        "p { background: url(http://$VICTIM/b); font-family: f; cursor: url(http://$VICTIM/c), auto }</style><p>Words</p>",
        incidents=(PRIVATE,),
    ),
    "reach-media": Hostile(
        "<p>Words</p><video src='http://$VICTIM/v' autoplay></video><audio src='http://$VICTIM/a' preload=auto></audio>"
        "<object data='http://$VICTIM/o'></object><embed src='http://$VICTIM/e'><link rel=icon href='http://$VICTIM/i'>",
        incidents=(PRIVATE,),
    ),
    "reach-websocket": _reaches("new WebSocket('ws://$VICTIM/'); new WebSocket('wss://$VICTIM/');"),
    "reach-events": _reaches("new EventSource('http://$VICTIM/');"),
    "reach-beacon": _reaches("navigator.sendBeacon('http://$VICTIM/', 'x');"),
    "reach-hints": Hostile(
        "<link rel=preconnect href='http://$VICTIM'><link rel=dns-prefetch href='http://$VICTIM'>"
        "<link rel=prefetch href='http://$VICTIM/p'><link rel=preload as=image href='http://$VICTIM/l'>"
        '<script type=speculationrules>{"prefetch": [{"urls": ["http://$VICTIM/s"]}]}</script><p>Words</p>',
        incidents=(PRIVATE,),
    ),
    "reach-worker": _reaches(
        "new Worker(URL.createObjectURL(new Blob([\"fetch('http://$VICTIM/', { mode: 'no-cors' }).catch(() => 0);"
        " importScripts('http://$VICTIM/w')\"])));"
    ),
    "reach-module": _reaches("import('http://$VICTIM/m').catch(() => 0);"),
    "reach-by-redirect": Hostile("<p>Words</p><img src='/hostile-to-victim'>", incidents=(PRIVATE,)),
    "reach-by-name": _reaches(
        "for (const host of ['localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'a.localhost', '0'])"
        " fetch('http://' + host + ':$VICTIM_PORT/', { mode: 'no-cors' }).catch(() => 0);"
    ),
    "reach-rebound": _reaches(
        "(async () => { for (let n = 0; n < 4; n++)"
        " await fetch('http://$TURN:$VICTIM_PORT/?' + n, { mode: 'no-cors' }).catch(() => 0); })();"
    ),
    "reach-rebound-itself": Hostile(
        script("fetch('http://' + location.hostname + ':$VICTIM_PORT/', { mode: 'no-cors' }).catch(() => 0);"),
        incidents=(PRIVATE,),
        host="$OTHER",
    ),
    "reach-webrtc": Hostile(
        script(
            "(async () => { const pc = new RTCPeerConnection({ iceServers: [{ urls: 'stun:$UDP' },"
            " { urls: ['turn:$UDP', 'turn:$VICTIM?transport=tcp'], username: 'a', credential: 'b' }] });"
            " pc.createDataChannel('x'); const offer = await pc.createOffer(); await pc.setLocalDescription(offer);"
            " const two = new RTCPeerConnection(); await two.setRemoteDescription(offer);"
            " const answer = await two.createAnswer(); await two.setLocalDescription(answer);"
            " await pc.setRemoteDescription(answer);"
            " const [host, port] = '$UDP'.split(':'); await pc.addIceCandidate({ sdpMid: '0', sdpMLineIndex: 0,"
            " candidate: `candidate:1 1 udp 2122260223 ${host} ${port} typ host generation 0` }); })();"
            "try { new WebTransport('https://$UDP/'); } catch {}"
        )
    ),
}
PAGES: dict[str, Hostile] = HANGS | EXHAUSTS | ESCAPES | REDIRECTS | REACHES
