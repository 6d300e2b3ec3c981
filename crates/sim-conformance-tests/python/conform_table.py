#!/usr/bin/env python3
"""Sums up comparisons with MuJoCo, as a table for a document.

    conform_table.py RESULTS.json [RESULTS.json ...] [--write README.md]

RESULTS.json is what `conform.py --json` has written. A row has the models of this project, or those
of one directory of the corpus.
"""

import argparse
import collections
import json
import pathlib

import conform
import report

ROOT = pathlib.Path(__file__).resolve().parents[3]
OURS = '`models/` of this project'


def collection(path):
  """The set that a model belongs to."""
  path = pathlib.Path(path)
  # before links are followed: the robots of the library are there too
  if path.absolute().is_relative_to(ROOT / 'models'):
    return OURS
  path = path.resolve()
  corpus = ROOT.parent / 'shared' / 'models'
  if path.is_relative_to(corpus):
    return path.relative_to(corpus).parts[0]
  return path.parent.name


def largest(results, stage):
  """The largest difference of a stage, where rounding does not decide."""
  errors = [result[stage]['worst'][1] for result in results if stage in result]
  return f'{max(errors):.0e}' if errors else '–'


def row(name, results):
  count = conform.summary(results)
  loaded = [r for r in results if r['load'] == 'ok']
  return [name, f'{count["models"]}', f'{count["load"]}', f'{count["arrays equal"]}',
          largest(loaded, 'arrays'), f'{count["samples"]:,}', f'{count["samples equal"]:,}',
          f'{count["rounding"]:,}', largest(loaded, 'step')]


def markdown(results):
  """The results as a section of a document."""
  sets = collections.defaultdict(list)
  for result in results:
    if result['load'] != 'reference':
      sets[collection(result['model'])].append(result)
  names = sorted(sets, key=lambda name: (name != OURS, name))
  heads = ['models of', 'models', 'load', 'equal arrays', 'largest difference', 'states compared',
           'equal', 'decided by rounding', 'largest difference after a step']
  rows = [row(name, sets[name]) for name in names]
  limits = conform.TOLERANCES
  return (report.table(heads, rows) + f'\n\nCompared with MuJoCo 3.5.0 on {report.today()}. Equal '
          f'means within {limits["arrays"].limit:.0e} (scaled; integers exactly) for the arrays of a '
          f'model, and within {limits["step"].limit:.0e} for every field of the data after `mj_forward`, '
          '`mj_step` and `mj_inverse` from the same state. Where rounding decides, MuJoCo differs from '
          'itself as much when its state changes in the last bit. Models that do not load have '
          'something that is not supported yet.')


def one_line(results):
  """What the table says in short."""
  models = [r for r in results if r['load'] != 'reference']
  loaded = [r for r in models if r['load'] == 'ok']
  good = [r for r in loaded if conform.passes(r)]
  return (f'**How exact.** {len(loaded)} of the {len(models)} models in the comparison load, and '
          f'{len(good)} of these give MuJoCo 3.5.0\'s numbers: every array of the model within '
          f'{conform.TOLERANCES["arrays"].limit:.0e}, every field after one step within '
          f'{conform.TOLERANCES["step"].limit:.0e}, [by origin below](#how-exact).')


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('results', nargs='+', type=pathlib.Path)
  parser.add_argument('--write', type=pathlib.Path, help='write the table into this document')
  options = parser.parse_args()
  results = [r for path in options.results for r in json.loads(path.read_text())['results']]
  text = markdown(results)
  print(text)
  if options.write:
    report.write(options.write, 'conform', text)
    report.write(options.write, 'conform-summary', one_line(results))


if __name__ == '__main__':
  main()
