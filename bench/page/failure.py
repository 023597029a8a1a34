"""What ends the tool with a message."""


class Failure(Exception):
    """`code`: 1 something went wrong, 2 wrong arguments, 77 this machine cannot do it."""

    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code
