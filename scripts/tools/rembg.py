"""Cuts the subject out of a picture: reads it from standard input, writes a PNG to standard output. `-m` names the model."""
import argparse
import sys

parser = argparse.ArgumentParser(prog='rembg', description=__doc__)
parser.add_argument('-m', '--model', default='u2net', help='a model that lies in the folder of U2NET_HOME')
parser.add_argument('-a', '--alpha-matting', action='store_true')
parser.add_argument('-om', '--only-mask', action='store_true')
options = parser.parse_args()

from rembg import new_session, remove

data = sys.stdin.buffer.read()
made = remove(data, session=new_session(options.model), alpha_matting=options.alpha_matting, only_mask=options.only_mask)
sys.stdout.buffer.write(made)
