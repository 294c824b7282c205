"""Versions of texts and tags."""

from __future__ import annotations

import pytest

from verifier.normalize import versions


@pytest.mark.parametrize(
    ("tag", "version", "scheme"),
    [
        ("v0.28.0", "0.28.0", "v"),
        ("rust-v0.125.0", "0.125.0", "rust-v"),
        ("pkg==1.1.0", "1.1.0", "pkg=="),
        ("b9090", "b9090", "b"),
        ("v1.3.0rc28", "1.3.0rc28", "v"),
        ("v0.6.3.post1", "0.6.3.post1", "v"),
        ("v2", "2", "v"),
        ("1.2.4", "1.2.4", ""),
        ("rocm-6.4.1", "6.4.1", "rocm-"),
    ],
)
def test_a_tag_is_a_version_and_a_scheme(tag: str, version: str, scheme: str) -> None:
    assert (versions.of_tag(tag), versions.scheme(tag)) == (version, scheme)


def test_versions_compare_as_versions_never_as_floats_or_strings() -> None:
    ordered = ["0.3.0", "0.3.3", "0.6.3", "0.6.3.post1", "0.9.2", "0.10.2", "0.30.0", "1.3.0rc9", "1.3.0rc28", "1.3.0", "b9090"]
    assert sorted(reversed(ordered), key=lambda text: versions.parse(text)) == ordered
    assert versions.same("0.11", "0.11.0")
    assert not versions.same("0.3.3", "0.30.0") and not versions.same("0.3", "0.3.3")


@pytest.mark.parametrize(
    ("text", "series", "belongs"),
    [("0.5.8", "0.5", True), ("0.50.8", "0.5", False), ("1.3.0rc28", "1.3.0rc", True), ("1.3.0rc28", "1.3.0", False), ("0.5", "0.5", False)],
)
def test_a_series_is_named_by_its_beginning(text: str, series: str, belongs: bool) -> None:
    assert versions.within(text, series) is belongs


def test_the_newest_is_of_the_same_package_and_no_pre_release() -> None:
    tags = ["prebuilt==3.0.0", "1.2.4", "1.2.3", "2.0.0rc1", "cli==9.9.9"]
    releases = [{"tag": tag, "version": versions.of_tag(tag), "prerelease": "rc" in tag} for tag in tags]
    newest = versions.newest(versions.of_package(releases, "1.2.4"))
    assert newest and newest["tag"] == "1.2.4"
    assert versions.newest(versions.of_package(releases, "rust-v1.0.0")) is None
