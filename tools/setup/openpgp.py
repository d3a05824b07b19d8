# SPDX-License-Identifier: Apache-2.0
"""Verifies a clear-signed text, as an archive's InRelease is, against a keyring, for machines without apt.

RSA signatures of version 4 with SHA-2 (RFC 4880), which every Debian suite has beside others. One good signature by a key of the
keyring is enough, as for apt. The keyring is trusted as it is: self-signatures, expiry and revocation in it are not looked at.
"""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from errors import SetupError

PUBLIC_KEY, PUBLIC_SUBKEY, SIGNATURE = 6, 14, 2
RSA = (1, 3)
# OpenPGP's number of a hash -> its name, and how PKCS #1 names it before the hash
HASHES = {
    8: ("sha256", "3031300d060960864801650304020105000420"),
    9: ("sha384", "3041300d060960864801650304020205000430"),
    10: ("sha512", "3051300d060960864801650304020305000440"),
}
BEGIN, MIDDLE, END = b"-----BEGIN PGP SIGNED MESSAGE-----", b"-----BEGIN PGP SIGNATURE-----", b"-----END PGP SIGNATURE-----"


@dataclass(frozen=True)
class Key:
    modulus: int
    exponent: int


def _packets(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(tag, body) of each packet."""
    at = 0
    while at < len(data):
        head = data[at]
        at += 1
        if head & 0x40:  # new format
            tag, first = head & 0x3F, data[at]
            if first < 192:
                length, at = first, at + 1
            elif first < 224:
                length, at = (first - 192 << 8) + data[at + 1] + 192, at + 2
            else:
                length, at = int.from_bytes(data[at + 1 : at + 5], "big"), at + 5
        else:
            tag, width = head >> 2 & 0xF, 1 << (head & 3)
            length, at = int.from_bytes(data[at : at + width], "big"), at + width
        yield tag, data[at : at + length]
        at += length


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A multiprecision integer, and where it ends."""
    end = at + 2 + (int.from_bytes(data[at : at + 2], "big") + 7) // 8
    return int.from_bytes(data[at + 2 : end], "big"), end


def keys(keyring: bytes) -> list[Key]:
    """The RSA keys and subkeys of a keyring that is not armoured."""
    found = []
    for tag, body in _packets(keyring):
        if tag in (PUBLIC_KEY, PUBLIC_SUBKEY) and body[0] == 4 and body[5] in RSA:
            modulus, end = _number(body, 6)
            found.append(Key(modulus, _number(body, end)[0]))
    return found


def _by_one_of(body: bytes, text: bytes, known: list[Key]) -> bool:
    """Is this signature packet one of a known key over `text`?"""
    if body[0] != 4 or body[2] not in RSA or body[3] not in HASHES:
        return False
    hashed_end = 6 + int.from_bytes(body[4:6], "big")
    name, prefix = HASHES[body[3]]
    digest = hashlib.new(name, text + body[:hashed_end] + b"\x04\xff" + hashed_end.to_bytes(4, "big")).digest()
    after = hashed_end + 2 + int.from_bytes(body[hashed_end : hashed_end + 2], "big") + 2  # unhashed subpackets, two bytes of the hash
    signature = _number(body, after)[0]
    for key in known:
        size = (key.modulus.bit_length() + 7) // 8
        said = pow(signature, key.exponent, key.modulus).to_bytes(size, "big")
        rest = bytes.fromhex(prefix) + digest
        if said == b"\x00\x01" + b"\xff" * (size - len(rest) - 3) + b"\x00" + rest:
            return True
    return False


def signed_text(message: bytes, keyring: bytes, what: str) -> str:
    """The text of `message` that a key of the keyring has signed; `what` names it in the error. Whatever stands outside is left out."""
    try:
        lines = message.replace(b"\r\n", b"\n").split(b"\n")
        begin, middle = lines.index(BEGIN), lines.index(MIDDLE)
        start = lines.index(b"", begin) + 1
        plain = [line.removeprefix(b"- ").rstrip(b" \t\r") for line in lines[start:middle]]
        armour = lines[lines.index(b"", middle) + 1 : lines.index(END, middle)]
        packets = list(_packets(base64.b64decode(b"".join(line for line in armour if not line.startswith(b"=")))))
        known = keys(keyring)
    except (ValueError, IndexError):
        raise SetupError(f"{what} is damaged or not signed: use another mirror") from None
    if not known:
        raise SetupError(f"{what}: the keyring has no RSA key: name Debian's with NHG_DEBIAN_KEYRING")
    if not any(tag == SIGNATURE and _by_one_of(body, b"\r\n".join(plain), known) for tag, body in packets):
        raise SetupError(f"{what} is not signed by a key of the keyring: use another mirror, or Debian's present keyring (NHG_DEBIAN_KEYRING)")
    return b"\n".join(plain).decode()
