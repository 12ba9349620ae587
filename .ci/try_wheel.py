"""Try the built wheel where it is installed without extras: a known answer, the front door, and what `pfb` says."""

import subprocess
import sys
from importlib.metadata import distribution, requires
from pathlib import Path

import provably_fair_baccarat as pfb
from provably_fair_baccarat.web.page import read_page

seeds = pfb.Seeds.commit("00" * 32, "a:1:2")
assert str(seeds.commitment) == "10249608995075b073fecc12d123c9b991261bf8dffb26f6871f899ef9dcfa62"
played = pfb.play_round(seeds, 9)
assert (played.cut, " ".join(map(str, played.cards)), played.coup.winner) == (81, "Tc 9h 4s 5c Td 2d", pfb.Outcome.TIE)
settlement = pfb.settle(played.coup, {"tie": 100})
record = pfb.RoundRecord.from_round(played, settlement, server_seed=seeds.server_seed)
assert pfb.verify_record(record).settlement == settlement

package = Path(pfb.__file__).parent
assert (package / "py.typed").exists()
assert "site-packages" in str(package)
assert read_page().startswith(b"<!doctype html>")
base = [line for line in requires("provably-fair-baccarat") or [] if "extra ==" not in line]
assert sorted(line.split(">")[0] for line in base) == ["cryptography", "pydantic"]
assert distribution("provably-fair-baccarat").version == pfb.__version__

told = subprocess.run([Path(sys.executable).parent / "pfb", "--help"], capture_output=True, text=True, check=False)
assert told.returncode == 2
assert "pip install 'provably-fair-baccarat[cli]'" in told.stderr
assert "Traceback" not in told.stderr
sys.stdout.write("the wheel works without extras\n")
