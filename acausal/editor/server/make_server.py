"""The server with all its features."""

from acausal.editor.server.documents import answer_documents
from acausal.editor.server.navigation import answer_navigation, answer_renaming
from acausal.editor.server.reading import answer_reading
from acausal.editor.server.server import Server
from acausal.editor.server.writing import answer_writing


def make_server(folders: tuple[str, ...] = ()) -> Server:
    """The server with its features."""
    server = Server(folders)
    answer_documents(server)
    answer_writing(server)
    answer_reading(server)
    answer_navigation(server)
    answer_renaming(server)
    return server
