"""Tasks in Python as components of the plugin ABI (sdk/include/sculpt): what the host calls.

../task.py has the names for users. Nothing here calls libsculpt: the program `sculpt` embeds it.
"""
