#!/usr/bin/env python3
"""Writes flex_arrays.txt: small models with flexes and skins, and the arrays that MuJoCo 3.5.0 makes
of them. Of long arrays there are length, sum, sum weighted by places, and the same of magnitudes."""

import pathlib

import mujoco
import numpy as np

LONG = 64


def world(inside, before='', after=''):
  return f'<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>'


def comp(attributes, inside=''):
  return f'<flexcomp name="f" {attributes}>{inside}</flexcomp>'


THREE = ('<body name="a"><joint type="slide"/><geom size=".1"/></body>'
         '<body name="b" pos="1 0 0"><joint type="slide"/><geom size=".1"/></body>'
         '<body name="c" pos="0 1 0"><joint type="slide"/><geom size=".1"/></body>')
PARENT = '<body name="p" pos="0 0 1" euler="10 20 30"><freejoint/><geom size=".1"/>{}</body>'
SIZES = 'count="3 3 3" spacing=".04 .05 .06"'

MODELS = {
    'chain': world(comp('dim="1" count="4 1 1" spacing=".1 .1 .1"',
                        '<edge stiffness="10" damping="1"/>')),
    'ring': world(comp('type="circle" dim="1" count="5 1 1"', '<edge equality="true"/>')),
    'cloth': world(comp('count="3 4 1" spacing=".04 .05 .06"', '<edge equality="true"/>')),
    'held by vertices': world(
        comp('count="3 3 1"', '<edge equality="vert"/>')
        + '<flexcomp name="g" dim="1" count="2 1 1"/>'),
    'pins on a moving body': world(PARENT.format(
        comp('count="3 3 1" pos="1 2 3" euler="40 50 60"',
             '<edge damping=".1"/><pin id="0 3"/><pin gridrange="2 0 2 1"/>'))),
    'bends': world(comp('count="3 3 1"', '<elasticity young="1e4" poisson=".2" thickness=".01" '
                                         'elastic2d="bend"/>')),
    'bends and stretches': world(comp(
        'count="3 3 1"',
        '<elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="both"/>')),
    'block': world(comp(SIZES + ' dim="3"', '<edge equality="true" solref=".01 2"/>'
                        '<elasticity young="1e4" poisson=".2" damping=".01"/>')),
    'square': world(comp('type="square" count="3 3 1"')),
    'disc': world(comp('type="disc" count="4 4 1" spacing=".5 .5 .5" material="m"'),
                  '<asset><material name="m"/></asset>'),
    'box': world(comp(SIZES + ' type="box" dim="3" material="m"'),
                 '<asset><material name="m"/></asset>'),
    'open box': world(comp(SIZES + ' type="box" dim="2"')),
    'lines on a box': world(comp(SIZES + ' type="box" dim="1"')),
    'cylinder': world(comp(SIZES + ' type="cylinder" dim="3"')),
    'ellipsoid': world(comp(SIZES + ' type="ellipsoid" dim="3"')),
    'radial': world(comp(SIZES + ' type="ellipsoid" dim="3" dof="radial"',
                         '<edge equality="true"/>')),
    'trilinear': world(comp(SIZES + ' dim="3" dof="trilinear"',
                            '<contact selfcollide="none"/>'
                            '<elasticity young="1e4" poisson=".1"/>')),
    'trilinear with pins': world(PARENT.format(
        comp(SIZES + ' dim="3" dof="trilinear"',
             '<contact selfcollide="none" vertcollide="true"/><pin id="0 2"/>'))),
    'quadratic': world(comp('count="5 5 5" dim="3" dof="quadratic"',
                            '<contact selfcollide="none"/>'
                            '<elasticity young="1e4" poisson=".1"/>')),
    'direct with a point too many': world(comp(
        'type="direct" scale="2 3 4" point="0 0 0 1 0 0 9 9 9 1 1 0 0 1 .2" '
        'element="0 1 3 0 3 4"', '<edge equality="true"/><pin id="3"/>')),
    'rigid': world(PARENT.format(comp('count="3 3 1" rigid="true"', '<edge equality="true"/>'))),
    'rows start again after a flex without': world(
        comp('dim="1" count="3 1 1"', '<edge damping="1"/>')
        + '<flexcomp name="g" dim="1" count="3 1 1"/>'
        + '<flexcomp name="h" dim="1" count="3 1 1"><edge stiffness="1"/></flexcomp>'),
    'classes': world(
        '<body name="p" childclass="c"><frame childclass="d" pos="1 2 3">'
        + comp('count="2 2 1"', '<contact vertcollide="true" passive="true"/>')
        + '</frame></body>',
        '<default><joint damping="3"/><default class="c"><joint damping="4"/></default>'
        '<default class="d"><joint damping="5"/></default></default>'),
    'written out': world(
        THREE, '',
        '<deformable><flex name="f" body="a b c" element="0 1 2"/>'
        '<flex name="r" body="a" flatskin="true" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2" '
        'texcoord="0 0 1 0 0 1"><contact passive="false" vertcollide="false"/></flex>'
        '<flex body="a b" dim="1" element="0 1" vertex="0 0 0 1 1 1"><edge stiffness="4" '
        'damping="3"/><contact selfcollide="none" activelayers="3" friction=".1"/></flex>'
        '</deformable><equality><flex flex="f" solref=".1 1" active="false"/></equality>'),
    'skin': world(
        '<body name="a"><geom size=".1"/></body>', '<asset><material name="m"/></asset>',
        '<deformable><skin name="s" inflate=".1" group="2" material="m" '
        'vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" texcoord="0 0 1 0 0 1">'
        '<bone body="a" bindpos="0 0 1" bindquat="2 0 0 0" vertid="0 1 2" vertweight="1 2 3"/>'
        '<bone body="world" bindpos="0 0 1" bindquat="1 1 0 0" vertid="1" vertweight="5"/>'
        '</skin></deformable>'),
}

ARRAYS = ('flex', 'skin', 'bvh_', 'eq_', 'dof_damping', 'dof_invweight0', 'body_mass', 'body_pos',
          'body_inertia', 'tree_sleep_policy')


def lines():
  for name, xml in MODELS.items():
    model = mujoco.MjModel.from_xml_string(xml)
    yield f'model {name}'
    yield f'xml {xml}'
    sizes = {size: getattr(model, size) for size in dir(model)
             if size.startswith(('nflex', 'nskin', 'nJf', 'nbvh')) or size in ('nv', 'nbody', 'nemax')}
    for size, value in sizes.items():
      yield f'size {size} {value}'
    yield f'meansize {model.stat.meansize!r}'
    for field in sorted(dir(model)):
      array = getattr(model, field)
      if not field.startswith(ARRAYS) or not isinstance(array, np.ndarray) or not array.size:
        continue
      if field.startswith('bvh_aabb') or field == 'names_map':
        continue
      numbers = array.reshape(-1)
      if len(numbers) > LONG:
        numbers = numbers.astype(float)
        places = np.arange(1.0, len(numbers) + 1)
        sums = [numbers.sum(), (places * numbers).sum(), (places * np.abs(numbers)).sum()]
        yield f'long {field} {len(numbers)} ' + ' '.join(repr(float(x)) for x in sums)
      elif numbers.dtype.kind == 'f':
        yield f'floats {field} ' + ' '.join(repr(float(x)) for x in numbers)
      else:
        yield f'integers {field} ' + ' '.join(str(int(x)) for x in numbers)


if __name__ == '__main__':
  pathlib.Path(__file__).with_suffix('.txt').write_text('\n'.join(lines()) + '\n')
