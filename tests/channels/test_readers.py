"""Readers: what they read of real pictures of text, and that they are listed and described."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from channels.readers import READERS, Reader, available, open_reader
from domain.errors import BadInput, Unavailable

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader("rapidocr", threads=2)


def picture(text: str, size: int = 24) -> Image.Image:
    """The text in Pillow's own font, black on white, with two px around it."""
    font = ImageFont.load_default(size)
    left, top, right, bottom = (round(x) for x in font.getbbox(text))
    image = Image.new("RGB", (right - left + 4, bottom - top + 4), "white")
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, "black", font=font)
    return image


def test_every_reader_is_listed_and_described() -> None:
    """Each module in channels/readers/ is in READERS and the other way round, with its line in docs/pixel-check.md."""
    there = {path.stem for path in (ROOT / "channels/readers").glob("*.py") if not path.stem.startswith("_")}
    assert there == set(READERS), f"channels/readers/__init__.py: READERS and the files differ by {there ^ set(READERS)}"
    page = (ROOT / "docs/pixel-check.md").read_text(encoding="utf-8")
    lost = [name for name in READERS if f"| `{name}` |" not in page]
    assert not lost, f"docs/pixel-check.md has no line for {', '.join(lost)}"


def test_reads_each_in_its_place(reader: Reader) -> None:
    """Words, prices and clocks are read exactly, in the order given, whatever their widths."""
    texts = ["Add to cart", "17:03", "$1,234.50", "The quick brown fox jumps over the lazy dog", "OK"]
    lines = reader.read([picture(text) for text in texts])
    assert [line.text for line in lines] == texts
    assert all(line.confidence > 0.9 for line in lines)
    assert [len(line.characters) for line in lines] == [len(text) for text in texts]


def test_the_same_alone_and_among_others(reader: Reader) -> None:
    """What is read of a picture does not depend on what else is asked at the same time."""
    alone = reader.read([picture("-3.2%")])
    among = reader.read([picture("A much longer line of text beside it"), picture("-3.2%"), picture("x")])
    assert among[1] == alone[0]


def test_nothing_to_read(reader: Reader) -> None:
    """A flat picture, even of one pixel, is read as nothing, with no confidence; and no pictures are no lines."""
    lines = reader.read([Image.new("RGB", (200, 30), "white"), Image.new("RGB", (1, 1), "navy")])
    assert [(line.text, line.confidence) for line in lines] == [("", 0.0), ("", 0.0)]
    assert reader.read([]) == []


def test_knows_what_it_cannot_read(reader: Reader) -> None:
    """Latin with any accent, Chinese and Japanese are read; Cyrillic, Greek, Arabic, Hebrew, Hindi, Thai, Korean are not."""
    for text in ("Add 5 to cart!", "Žluťoučký kůň", "Việt Nam", "加入购物车", "カートに入れる", "★ 4,5 €", "Größe"):
        assert reader.can_read(text), text
    for text in ("Войти", "Σύνδεση", "تسجيل", "כניסה", "लॉग इन", "เข้าสู่ระบบ", "로그인", "5 минут"):
        assert not reader.can_read(text), text


def test_the_version_names_program_and_model(reader: Reader) -> None:
    """A stored check says which model of which version read it."""
    name, model = reader.version.split("/")
    assert name.startswith("rapidocr-")
    assert "rec" in model


def test_needs_no_network_and_says_nothing() -> None:
    """Opened and asked in a Python that cannot make a connection, it reads, and prints nothing of its own."""
    code = (
        "import socket\n"
        "def refuse(*_, **__): raise OSError('no network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from PIL import Image\n"
        "from channels.readers import open_reader\n"
        "print(len(open_reader('rapidocr').read([Image.new('RGB', (90, 20), 'white')])))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_an_unknown_reader_is_named() -> None:
    """Whoever asks for a reader that is not there is told which are."""
    with pytest.raises(BadInput, match=r"No reader 'eyes'\. Known: rapidocr, tesseract\."):
        open_reader("eyes")


@pytest.mark.skipif(not available("tesseract"), reason="tesseract is installed here")
def test_a_missing_program_is_named() -> None:
    """Where tesseract is not installed, the refusal says how to get it."""
    with pytest.raises(Unavailable, match="apt-get install tesseract-ocr"):
        open_reader("tesseract")


@pytest.mark.skipif(bool(available("tesseract")), reason="tesseract is not installed")
def test_tesseract_reads() -> None:
    """The second reader reads the same words."""
    assert [line.text for line in open_reader("tesseract").read([picture("Add to cart"), picture("17:03")])] == [
        "Add to cart",
        "17:03",
    ]
