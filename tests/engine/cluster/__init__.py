"""Tests of counting on a cluster."""
