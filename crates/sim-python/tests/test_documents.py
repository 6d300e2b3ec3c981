"""What the README and the guide say is true: their programs run, their commands work."""

import functools
import os
import pathlib
import re
import subprocess
import sys

import pytest

import cortenforge

ROOT = pathlib.Path(__file__).parents[3]
GUIDE = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))]
DOCUMENTS = [*GUIDE, ROOT / 'ARCHITECTURE.md', ROOT / 'CHANGELOG.md',
             *sorted((ROOT / 'docs' / 'fields').glob('*.md'))]
EXAMPLES = {
    'load_and_step.py': r'2\.0 s: angle \+0\.4\d+ rad',
    'controller.py': r'cart at \+0\.0\d+ m, pole off by \+0\.00\d+ rad',
    'edit_model.py': r'without the last leg: 12 bodies, 10 motors\nwritten and read: 12 bodies',
    'contacts.py': r'together \[.*19\.62\] N',
    'cloth.py': r'held up by 1\.9\d N, weight 1\.96 N',
    'cable.py': r'sags by 0\.26\d+ m, a catenary by 0\.2654 m',
    'soft_gripper.py': r'lifted : block [789]\.\d cm wide, centre at 0\.2\d m',
    'gymnasium_switch.py': r'HalfCheetah-v5 on cortenforge: 17 numbers',
    'ilqr.py': r'exact: cost [\d.]+, derivatives took \d+ ms, pole off by 0\.\d+ rad',
    'stand_up.py': r'cortenforge: cost 1\d\d\.\d+ -> [0-9]\.\d+ in',
    'identify.py': r'parameters off by [01]\.\d %',
    'torch_step.py': r'PyTorch is not installed|angle of the hinge by the first torque: \S+e-\d+',
    'jax_step.py': r'JAX is not installed|angle of the hinge by the first torque: \S+e-\d+',
    'record_video.py': r'policy\.mp4: \d+ kB, pole off by [+-]0\.\d+ rad',
    'tutorial_1_basics.py': r'the cube is on the stand.*\n.*\n.*states \(32, 100, 28\)',
    'tutorial_2_train.py': r'from eight other starts: (19\d|200) of 200',
    'tutorial_3_your_robot.py': r'the mast is at 0\.\d+ rad\nwritten as \d+ lines',
    'tutorial_4_contacts_and_lqr.py': r'together 64\.9 N; the dog weighs 64\.9 N\n.*\n.*pole off by [+-]0\.00',
    'rollout.py': r'256 rollouts of 100 steps on 2 threads: states \(256, 100, 5\)',
}
# functions of the package that are operators, loops over slices, copies or constants in Rust, or
# about Python alone (printing, caches, text)
NO_ALIAS = {
    'mj_clearCache', 'mj_copyData', 'mj_copyState', 'mj_defaultLROpt', 'mj_defaultOption',
    'mj_defaultSolRefImp', 'mj_defaultVisual', 'mj_extractState', 'mj_getCache',
    'mj_getCacheCapacity', 'mj_getCacheSize', 'mj_getTotalmass', 'mj_isPyramidal',
    'mj_local2Global', 'mj_printData', 'mj_printFormattedData', 'mj_printFormattedModel',
    'mj_printFormattedScene', 'mj_printScene', 'mju_raySkin',
    'mj_printModel', 'mj_resetCallbacks', 'mj_resetDataDebug',
    'mj_setCacheCapacity', 'mj_setKeyframe', 'mj_setTotalmass', 'mj_version',
    'mj_versionString', 'mju_L1', 'mju_add', 'mju_add3', 'mju_addScl', 'mju_addScl3',
    'mju_addTo', 'mju_addTo3', 'mju_addToScl3', 'mju_clip', 'mju_copy', 'mju_copy3',
    'mju_copy4', 'mju_d2n', 'mju_derivQuat', 'mju_dist3', 'mju_euler2Quat', 'mju_eye',
    'mju_f2n', 'mju_fill', 'mju_getXMLDependencies', 'mju_insertionSort', 'mju_insertionSortInt', 'mju_isZero', 'mju_max',
    'mju_min', 'mju_mulMatVec3', 'mju_mulPose', 'mju_mulQuat', 'mju_mulQuatAxis', 'mju_n2d',
    'mju_n2f', 'mju_negPose', 'mju_normalize', 'mju_printMat', 'mju_printMatSparse',
    'mju_round', 'mju_scl3', 'mju_sign', 'mju_standardNormal', 'mju_str2Type', 'mju_sub',
    'mju_sub3', 'mju_subFrom', 'mju_subFrom3', 'mju_symmetrize', 'mju_transformSpatial',
    'mju_trnVecPose', 'mju_type2Str', 'mju_unit4', 'mju_warningText', 'mju_writeLog',
    'mju_writeNumBytes', 'mju_zero', 'mju_zero3', 'mju_zero4'}


def blocks(path, language):
  """The code blocks of a document."""
  return re.findall(rf'^```{language}\n(.*?)^```', path.read_text(), re.MULTILINE | re.DOTALL)


def all_blocks(language):
  return [pytest.param(block, id=f'{path.name}-{number}')
          for path in GUIDE for number, block in enumerate(blocks(path, language))]


# compilers do not run under the address sanitizer
PLAIN = {name: value for name, value in os.environ.items() if name != 'LD_PRELOAD'}


def run(command, **options):
  """Runs a command that must succeed, and returns what it prints."""
  done = subprocess.run(command, capture_output=True, text=True, check=False,
                        **{'cwd': ROOT, **options})
  assert done.returncode == 0, f'{command}\n{done.stdout}\n{done.stderr}'
  return done.stdout


@pytest.fixture(scope='module')
def workplace(tmp_path_factory):
  """A directory with the models, and room for what is installed."""
  path = tmp_path_factory.mktemp('workplace')
  (path / 'models').symlink_to(ROOT / 'models')
  return path


@functools.cache
def command(line, workplace):
  """Does what a line of a shell block says, but installs into the workplace."""
  words = line.split()
  if words[0] == 'make':
    # inside of `make test` there is no running it: all that it would do is known
    return run(['make', '--dry-run', *words[1:]])
  if words[:2] == ['cargo', 'install']:
    return run([*words, '--quiet', '--root', workplace], env=PLAIN)
  if words[0] == 'cargo':
    return run(words, env=PLAIN)
  # what is installed here: Python with its packages, and the command
  paths = os.pathsep.join([str(pathlib.Path(sys.executable).parent), str(workplace / 'bin'),
                           os.environ['PATH']])
  if words[:2] == ['pip', 'install']:
    site = workplace / 'site'
    output = run([sys.executable, '-m', *words, '--quiet', '--no-deps', '--no-build-isolation',
                  '--disable-pip-version-check', '--target', site, '--upgrade'],
                 env={**PLAIN, 'PATH': paths})
    run([sys.executable, '-c', 'import cortenforge; assert "site" in cortenforge.__file__'],
        env={**os.environ, 'PYTHONPATH': str(site)})
    return output
  if words[0] == 'cortenforge':
    return run(words, cwd=workplace, env={**os.environ, 'PATH': paths})
  raise AssertionError(f'no way to check the command: {line}')


@pytest.mark.parametrize('block', all_blocks('python'))
def test_python_programs_run(block):
  run([sys.executable, '-W', 'ignore', '-c', block])


@pytest.mark.parametrize('block', all_blocks('sh'))
def test_commands_work(block, workplace):
  lines = [line for line in block.splitlines() if line.strip()]
  assert lines
  for line in lines:
    command(line, workplace)


def test_the_demo_prints_what_the_readme_says(workplace):
  (promise,) = [text for text in blocks(ROOT / 'README.md', 'text') if 'quadruped' in text]
  said = command('cargo run --release', workplace)
  pattern = re.escape(promise.strip()).replace('…', '.+')
  assert re.fullmatch(pattern, said.strip()), said


def test_the_command_explains_as_the_readme_says(tmp_path):
  (promise,) = [text for text in blocks(ROOT / 'README.md', 'text') if text.startswith('error')]
  (line,) = re.findall(r'^3 \| (.*)', promise, re.MULTILINE)
  (tmp_path / 'arm.xml').write_text(f'<mujoco>\n<worldbody>\n{line}\n</worldbody>\n</mujoco>\n')
  run(['cargo', 'build', '--release', '--quiet'], env=PLAIN)
  done = subprocess.run([ROOT / 'target' / 'release' / 'cortenforge', 'info', 'arm.xml'],
                        cwd=tmp_path, capture_output=True, text=True, check=False)
  assert done.returncode != 0
  assert done.stderr.strip() == promise.strip()


@pytest.mark.parametrize('path', DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
  for target in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)', path.read_text()):
    assert (path.parent / target).exists(), target


def test_the_reference_pages_are_up_to_date():
  run([sys.executable, ROOT / 'docs' / 'reference.py', '--check'])


def test_rust_functions_are_found_by_their_names_in_mujoco():
  sources = [path.read_text() for crate in ('sim-core', 'sim-mjcf')
             for path in (ROOT / 'crates' / crate / 'src').rglob('*.rs')]
  aliases = set(re.findall(r'doc\(alias = "(\w+)"\)', ''.join(sources)))
  functions = {name for name in dir(cortenforge) if name.startswith(('mj_', 'mju_', 'mjd_'))}
  assert functions - aliases == NO_ALIAS


def test_every_example_is_known():
  assert {path.name for path in (ROOT / 'examples').glob('*.py')} == set(EXAMPLES)


@pytest.mark.parametrize('name', EXAMPLES)
def test_examples_run(name):
  said = run([sys.executable, '-W', 'ignore', f'examples/{name}'])
  assert re.search(EXAMPLES[name], said), said
