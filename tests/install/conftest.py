"""The wheel, built once for all tests that install it."""

import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the source archive, built twice with the same bytes."""
    builder = repository / ".venv" / "release" / "bin" / "python"
    if not builder.is_file():
        pytest.skip("no build tools: python3 tools/environments.py release")
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
    for folder in folders:
        command = [builder, "-m", "build", "--no-isolation", "--outdir", folder, repository]
        run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stdout + run.stderr
    one, two = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert one == two
    return folders[0]
