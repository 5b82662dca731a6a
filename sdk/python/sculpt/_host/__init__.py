"""Calls of libsculpt (sdk/include/sculpt/host): sessions, experiments, and their ends.

../host.py, ../checking.py and ../sweeping.py have the names for users.
"""
