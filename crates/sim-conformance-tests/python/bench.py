#!/usr/bin/env python3
"""Compares the speed of CortenForge with that of MuJoCo, on the same models from the same states.

    bench.py [MODELS ...] [--newest PYTHON] [--json bench.json] [--write README.md]

A trajectory of MuJoCo 3.5.0 under moving controls is recorded first. Every chunk of steps, a few
milliseconds long, starts from one of its states, and the engines take turns (A B C C B A), so that
whatever disturbs the machine disturbs all. The fastest chunk of each engine counts. MuJoCo 3.5.0
shares the process with CortenForge; `--newest` names a Python that has another version, which runs
in a process of its own. A batch is a rollout from many of the states on two threads.

At the level of the engine, a program in Rust and programs in C, which are compiled first with the
libraries and headers of the installed versions, step from the same states without Python in
between; CPU time counts. `--without-engine` leaves that out.

MuJoCo runs with `vis.global.bvactive` off, as it does in production.
"""

import argparse
import json
import math
import pathlib
import sys
import tempfile

import numpy as np

import engines
import report
import scenes

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORPUS = ROOT.parent / 'shared' / 'models'
THREADS = 2
LONGEST = 500  # steps of a trajectory
WARM = 1.0  # simulated seconds before it

# models of the project, generated scenes, and models of others where they are installed
OURS = ('pendulum', 'chain_30', 'ball_chain', 'muscle', 'cable', 'figure', 'demo', 'free_100',
        'contact_pyramids', 'contact_elliptic', 'solver_pgs', 'pile_rk4', 'pile_implicit')
SCENES = {'heap of 100 boxes': lambda: scenes.heap(100),
          '20 stacks of 5 boxes': lambda: scenes.boxes(100),
          '22 figures': lambda: scenes.figures(22)}
GYMNASIUM = ('half_cheetah', 'ant', 'humanoid')
KINDS = (('engine', 'engine, steps/s', 'at the level of the engine'),
         ('steps', 'steps/s', 'from Python'),
         ('batch', f'batch on {THREADS} threads, steps/s', f'in batches on {THREADS} threads'))
OTHERS = {'MuJoCo humanoid': 'mujoco/model/humanoid/humanoid.xml',
          '100 humanoids': 'mujoco/model/humanoid/100_humanoids.xml',
          'dm_control stacker': 'dm_control/dm_control/suite/stacker.xml',
          'dm_control humanoid_CMU': 'dm_control/dm_control/suite/humanoid_CMU.xml',
          'dm_control quadruped': 'dm_control/dm_control/suite/quadruped.xml',
          'MuJoCo car': 'mujoco/model/car/car.xml',
          'flex flag': 'mujoco/model/flex/flag.xml',
          'flex trampoline': 'mujoco/model/flex/trampoline.xml',
          'flex bunny': 'mujoco/model/flex/bunny.xml',
          'flex poncho': 'mujoco/model/flex/poncho.xml'}
ROBOTS = ('agility_cassie', 'bitcraze_crazyflie_2', 'booster_t1', 'google_barkour_vb', 'iit_softfoot',
          'robotiq_2f85', 'shadow_hand', 'trossen_wx250s', 'wonik_allegro')


def default_models(directory):
  """Names and paths of the models; generated ones are written to `directory`."""
  models = {name: ROOT / 'models' / f'{name}.xml' for name in OURS}
  for name, text in SCENES.items():
    models[name] = directory / f'{name}.xml'
    models[name].write_text(text())
  try:
    import gymnasium  # pylint: disable=import-outside-toplevel
    assets = pathlib.Path(gymnasium.__file__).parent / 'envs' / 'mujoco' / 'assets'
    models.update((f'Gymnasium {name}', assets / f'{name}.xml') for name in GYMNASIUM)
  except ImportError:
    pass
  others = {name: CORPUS / path for name, path in OTHERS.items()}
  for robot in ROBOTS:
    scenes_of = [CORPUS / 'menagerie' / robot / f'{name}.xml' for name in ('scene', 'scene_right')]
    others[robot] = next(filter(pathlib.Path.exists, scenes_of), scenes_of[0])
  models.update((name, path) for name, path in others.items() if path.exists())
  return models


def named(path, paths):
  """The name of a file, with that of its folder where others are called the same: scene.xml of robots."""
  alone = sum(other.stem == path.stem for other in paths) == 1
  return path.stem if alone else f'{path.resolve().parent.name}/{path.stem}'


def controls_at(model, time):
  """Controls that move slowly within their ranges, each at its own pace."""
  low, high = model.actuator_ctrlrange.T
  limited = model.actuator_ctrllimited.astype(bool)
  middle = np.where(limited, (low + high) / 2, 0)
  swing = np.where(limited, (high - low) / 4, 0.2)
  numbers = np.arange(model.nu)
  return middle + swing * np.sin(2 * np.pi * (0.5 + 0.1 * (numbers % 7)) * time + numbers)


def recorded_states(engine, chunks, steps):
  """States of a trajectory, one per chunk; it starts again after a while, before it diverges."""
  mujoco, model, data = engine.module, engine.model, engine.data
  if model.nkey:
    mujoco.mj_resetDataKeyframe(model, data, 0)
  else:
    mujoco.mj_resetData(model, data)
  data.qvel[:] += np.random.default_rng(1).normal(scale=0.1, size=model.nv)

  def advance(count):
    for _ in range(count):
      data.ctrl[:] = controls_at(model, data.time)
      mujoco.mj_step(model, data)

  def state():
    return {name: np.array(getattr(data, name)) for name in engines.STATE}

  advance(min(LONGEST, int(WARM / model.opt.timestep)))
  states, start, time, done, contacts = [], state(), data.time, 0, 0
  for _ in range(chunks):
    if done >= LONGEST:
      engine.set_state(start)
      data.time, done = time, 0
    states.append(state())
    advance(steps)
    done += steps
    contacts += data.ncon
  return states, contacts / chunks


def take_turns(runs, rounds):
  """The fastest time of each of `runs`, called by turns and back again, with the round's number."""
  times = [[] for _ in runs]
  for number in range(rounds):
    order = range(len(runs)) if number % 2 == 0 else reversed(range(len(runs)))
    for which in order:
      times[which].append(runs[which](number))
  return [min(row) for row in times]


def bench_programs(path, programs, states, steps, seconds):
  """Steps per second of the programs that load a model."""
  loaded = {key: program for key, program in programs.items() if program.load(path) is None}
  with tempfile.NamedTemporaryFile() as file:
    engines.write_states(file.name, states)
    for program in loaded.values():
      program.set_states(file.name)
  runs = [lambda i, p=program: p.run(i % len(states), steps) for program in loaded.values()]
  elapsed = min(run(0) for run in runs)
  rounds = max(8, int(seconds / len(runs) / max(elapsed, 1e-4)))
  times = take_turns(runs, rounds)
  return {key: steps / time for key, time in zip(loaded, times) if time < math.inf}


def bench(name, path, all_engines, programs, seconds):
  """Steps per second of the engines on one model; None where an engine does not load it."""
  loaded = []
  result = {'name': name}
  for key, engine in all_engines.items():
    why = engine.load(path)
    if why is None:
      loaded.append(key)
    else:
      print(f'{name}: not in {key}: {why.strip().splitlines()[0]}', file=sys.stderr)
  if not {'cortenforge', 'mujoco'} <= set(loaded):
    return None
  some = {key: all_engines[key] for key in loaded}
  reference = all_engines['mujoco']
  result['nv'] = int(reference.model.nv)

  # a chunk lasts about 5 ms, or as many steps as the trajectory is long
  steps, elapsed = 5, 0.0
  (state,), _ = recorded_states(reference, 1, 1)
  while elapsed < 0.004 and steps < LONGEST:
    steps *= 2
    elapsed = reference.run(state, steps)
  rounds = max(8, int(seconds / len(some) / max(elapsed, 1e-4)))
  states, result['contacts'] = recorded_states(reference, rounds, steps)
  runs = [lambda i, e=engine: e.run(states[i], steps) for engine in some.values()]
  times = take_turns(runs, rounds)
  result['steps'] = {key: steps / time for key, time in zip(some, times) if time < math.inf}

  if programs:
    result['engine'] = bench_programs(path, programs, states, steps, seconds)

  if all(engine.has_batches() for engine in some.values()):
    starts = states[:16] * (16 // len(states[:16]))
    length = min(LONGEST, steps)
    controls = np.tile(states[0]['ctrl'], (len(starts), length, 1))
    for engine in some.values():
      engine.prepare_batch(starts, THREADS)
    runs = [lambda _, e=engine: e.run_batch(controls) for engine in some.values()]
    size = len(starts) * length
    rounds = max(5, int(seconds / len(some) / (runs[0](0) + 1e-4)))
    result['batch'] = dict(zip(some, (size / t for t in take_turns(runs, rounds))))
  return result


def ratio(result, kind, other):
  """How many times as fast CortenForge is; None where that was not measured."""
  speeds = result.get(kind, {})
  return speeds['cortenforge'] / speeds[other] if {'cortenforge', other} <= set(speeds) else None


def mean(ratios):
  ratios = [value for value in ratios if value is not None]
  return float(np.exp(np.mean(np.log(ratios)))) if ratios else None


def columns(versions, results):
  """What the tables show beside the model: heading, and the text of a result."""
  def times(value):
    return '–' if value is None else f'{value:.2f}'

  made = []
  for kind, what, _ in KINDS:
    if not any(kind in result for result in results):
      continue
    made.append((what, lambda r, k=kind: f'{r[k]["cortenforge"]:,.0f}' if 'cortenforge' in r.get(k, {}) else '–', None))
    for other, version in versions.items():
      if other != 'cortenforge':
        made.append((f'× MuJoCo {version}', lambda r, k=kind, o=other: times(ratio(r, k, o)),
                     times(mean(ratio(r, kind, other) for r in results))))
  return made


def markdown(document):
  """The results as a section of a document."""
  results = document['results']
  made = columns(document['versions'], results)
  rows = [[r['name'], str(r['nv']), f'{r["contacts"]:.0f}', *(text(r) for _, text, _ in made)]
          for r in results]
  rows.append(['**geometric mean**', '', '', *(f'**{m}**' if m else '' for *_, m in made)])
  table = report.table(['model', 'dofs', 'contacts', *(head for head, *_ in made)], rows)
  return (f'{table}\n\nMeasured on {document["date"]} ({document["machine"]}); the columns with × say '
          'how many times as fast CortenForge is.')


def one_line(document):
  """What the table says on average."""
  results, versions = document['results'], document['versions']
  texts = []
  for kind, _, where in KINDS:
    means = [(mean(ratio(r, kind, other) for r in results), version)
             for other, version in versions.items() if other != 'cortenforge']
    parts = [f'{value:.2f} times MuJoCo {version}' for value, version in means if value is not None]
    if parts:
      texts.append(f'{" and ".join(parts)} {where}')
  return (f'**How fast.** {"; ".join(texts)}: geometric means over {len(results)} models, '
          '[one by one below](#how-fast).')


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--only', nargs='+', metavar='NAME', help='of the default models, only these')
  parser.add_argument('--newest', metavar='PYTHON', help='a Python with another version of MuJoCo')
  parser.add_argument('--without-engine', action='store_true', help='leave out programs without Python')
  parser.add_argument('--seconds', type=float, default=2.0, help='time to spend per model')
  parser.add_argument('--json', type=pathlib.Path, help='write the results to this file')
  parser.add_argument('--write', type=pathlib.Path, help='write the table into this document')
  options = parser.parse_args()

  all_engines = {'cortenforge': engines.Engine('cortenforge'), 'mujoco': engines.Engine('mujoco')}
  if options.newest:
    all_engines['newest'] = engines.Remote(options.newest, 'mujoco')
  versions = {key: engine.version for key, engine in all_engines.items()}

  results = []
  with tempfile.TemporaryDirectory() as directory:
    models = ({named(path, options.models): path.resolve() for path in options.models} or
              default_models(pathlib.Path(directory)))
    programs = {}
    if not options.without_engine:
      pythons = {'mujoco': sys.executable} | ({'newest': options.newest} if options.newest else {})
      programs = engines.build_programs(ROOT, directory, pythons)
    for name, path in models.items():
      if options.only and name not in options.only:
        continue
      result = bench(name, path, all_engines, programs, options.seconds)
      if result is None:
        continue
      results.append(result)
      made = columns(versions, [result])
      print(f'{name:<26} {result["nv"]:>5} dofs {result["contacts"]:>5.0f} contacts  ' +
            '   '.join(f'{text(result)} {head}' for head, text, _ in made), flush=True)
  if not results:
    sys.exit('no model loads in both engines')

  made = columns(versions, results)
  means = [f'{m} {head}' for head, _, m in made if m]
  print(f'geometric mean of {len(results)} models: ' + '   '.join(means))
  document = {'date': report.today(), 'machine': report.machine(), 'versions': versions,
              'python': sys.version.split()[0], 'results': results}
  if options.json:
    options.json.write_text(json.dumps(document, indent=1) + '\n')
  if options.write:
    report.write(options.write, 'bench', markdown(document))
    report.write(options.write, 'bench-summary', one_line(document))


if __name__ == '__main__':
  main()
