"""Which hosts are not public, literally and as resolved."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.addresses import literal_address, private_reason

PRIVATE = {
    "127.0.0.1": "loopback",
    "127.1": "127.0.0.1, a loopback",
    "2130706433": "127.0.0.1, a loopback",
    "0x7f.1": "127.0.0.1, a loopback",
    "0X7F000001": "127.0.0.1, a loopback",
    "017700000001": "127.0.0.1, a loopback",
    "0177.0.0.01": "127.0.0.1, a loopback",
    "127.0.0.1.": "127.0.0.1, a loopback",
    "%31%32%37.0.0.1": "127.0.0.1, a loopback",
    "\uff11\uff12\uff17.0.0.1": "127.0.0.1, a loopback",
    "127\u30020\u30020\u30021": "127.0.0.1, a loopback",
    "127.0.0.1\u00ad": "127.0.0.1, a loopback",
    "0": "0.0.0.0, the unspecified",
    "0.0.0.0": "unspecified",  # noqa: S104
    "0x": "0.0.0.0, the unspecified",
    "10.1.2.3": "private",
    "172.16.0.1": "private",
    "192.168.0.1": "private",
    "192.168.257": "192.168.1.1, a private",
    "169.254.169.254": "link-local",
    "100.64.0.1": "outside the public internet",
    "192.0.2.1": "private",
    "224.0.0.1": "multicast",
    "240.0.0.1": "private",
    "255.255.255.255": "private",
    "::1": "loopback",
    "[::1]": "is a loopback",
    "[0:0:0:0:0:0:0:1]": "::1, a loopback",
    "::": "unspecified",
    "fe80::1": "link-local",
    "[fe80::1%25eth0]": "link-local",
    "fd00::1": "private",
    "ff02::1": "multicast",
    "fec0::1": "site-local",
    "::ffff:127.0.0.1": "loopback",
    "[::ffff:7f00:1]": "loopback",
    "::ffff:10.0.0.1": "private",
    "::127.0.0.1": "reserved",
    "64:ff9b::7f00:1": "loopback",
    "2002:7f00:1::": "loopback",
    "2001:db8::1": "private",
    "localhost": "this machine",
    "LOCALHOST": "this machine",
    "localhost.": "this machine",
    "%6cocalhost": "this machine",
    "\uff4cocalhost": "this machine",
    "a.localhost": "this machine",
    "printer.local": "this machine",
    "metadata.google.internal": "this machine",
    "router.home.arpa": "this machine",
    "localhost.localdomain": "this machine",
    "intranet": "no dot",
    "1.2.3.4.5": "malformed",
    "256.1.1.1": "malformed",
    "08.1.1.1": "malformed",
    "99999999999": "malformed",
    "a..1": "malformed",
    "::zz": "malformed",
    "": "empty",
}
PUBLIC = [
    "example.test",
    "localhost.example.test",
    "internal.example.test",
    "1.1.1.1",
    "8.8.8.8",
    "134744072",
    "172.32.0.1",
    "2606:4700::1111",
    "[2606:4700::1111]",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::",
    "1.2.3.4.example.test",
    "b\u00fccher.test",
    "xn--bcher-kva.test",
    "0x7f.example.test",
]


@pytest.mark.parametrize(("host", "reason"), PRIVATE.items())
def test_not_public(host: str, reason: str) -> None:
    """Every way to write a host that is not public is seen through, and the reason says what it is."""
    assert reason in (private_reason(host) or "public")


@pytest.mark.parametrize("host", PUBLIC)
def test_public(host: str) -> None:
    """Nothing is held against a public host, not even one that looks a little like a private one."""
    assert private_reason(host) is None


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{}", "0x{:x}", "0{:o}"]))
def test_one_number_is_that_address(number: int, form: str) -> None:
    """A host that is one number, decimal, hexadecimal or octal, is the address with that number."""
    assert literal_address(form.format(number)) == IPv4Address(number)


@given(st.text(max_size=40))
def test_any_text_is_answered(host: str) -> None:
    """Whatever stands where a host should, there is an answer and no crash."""
    assert private_reason(host) is None or private_reason(host)
