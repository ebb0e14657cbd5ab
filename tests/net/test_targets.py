"""The spellings of addresses that are refused, and the one spelling that is used (U01–U15)."""

from __future__ import annotations

import ipaddress

import pytest

from app.core.errors import ToolError
from app.net.addresses import is_public
from app.net.targets import read
from tests.every import looped

REFUSED = [
    "http://localhost", "http://a.localhost", "http://2130706433", "http://0x7f000001", "http://0177.0.0.1",
    "http://127.1", "http://0", "http://①②⑦.⓪.⓪.①", "http://127。0。0。1", "http://printer.local", "http://intranet",
    "http://127.0.0.1\\@example.com/", "http://example.com@127.0.0.1/", "http://a\tb.com", "http://exa%6dple.com",
    "http://x/\r\nHost: y", "ftp://example.com", "file:///etc/passwd", "data:text/plain,a", "jar:http://a.com", "ws://a.com",
    "http://example.com:22", "http://example.com:0", "http://example.com:65536", "https://example.com:80",
    "http:///x", "https:example.com", "http://", "", "http://[::1", "http://exa mple.com", "http://-a.com", "http://a..com",
    "http://example.com/" + "a" * 9000, "http://example.com/?" + "a=b&" * 10_000, "http://" + "a" * 64 + ".com",
]  # fmt: skip

CANONICAL = {
    "HTTP://Example.COM.": "http://example.com/",
    "https://example.com:443/a b".replace(" ", "%20"): "https://example.com/a%20b",
    "http://example.com#@127.0.0.1/": "http://example.com/",
    "https://bücher.example/ü?q=ü": "https://xn--bcher-kva.example/%C3%BC?q=%C3%BC",
    "http://[2606:4700:0:0::1111]/": "http://[2606:4700::1111]/",
}

NOT_PUBLIC = [
    "127.0.0.1", "::1", "::ffff:7f00:1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1",
    "169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "10.1.2.3", "172.16.0.1", "192.168.1.1",
    "100.64.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "fc00::1", "fe80::1", "0.0.0.0", "::",
    "192.0.0.8", "2001::1", "ff02::1", "64:ff9b:1::1", "2001:db8::1",
]  # fmt: skip


@looped("url", REFUSED, ids=lambda url: url[:40])
def test_a_doubtful_address_is_refused(url: str) -> None:
    with pytest.raises(ToolError) as caught:
        read(url)
    assert caught.value.tool_code in ("BLOCKED_ADDRESS", "BLOCKED_SCHEME", "PRIVATE_ADDRESS")


@pytest.mark.parametrize(("url", "wanted"), CANONICAL.items())
def test_one_spelling_is_checked_and_used(url: str, wanted: str) -> None:
    assert read(url).url == wanted
    assert read(read(url).url).url == wanted


def test_parameters_are_part_of_the_address() -> None:
    assert read("https://example.com/a", {"q": "外滩 &", "n": 1}).path == "/a?q=%E5%A4%96%E6%BB%A9+%26&n=1"


@looped("address", NOT_PUBLIC)
def test_T21_an_address_that_is_not_public_is_known(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_an_ordinary_address_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))
