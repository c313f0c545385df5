/** File name of the text below, beside the program. */
export const PYTHON_RUNNER = '_run.py'

/**
 * Runs `main.py` like `python3 main.py` (same paths, module, arguments and tracebacks), with two additions: the value
 * of a final expression is printed when the program wrote nothing to standard output and started nothing that could,
 * and matplotlib figures that the program did not save are saved as `figure-1.png` and so on, when they are shown and
 * at the end. Source: https://docs.python.org/3/library/ast.html.
 */
const RUN = `
import ast, builtins, functools, importlib.machinery, importlib.util, io, os, sys, types

PATH = os.path.abspath('main.py')
PARSED = 200_000
MOST_FIGURES = 20
STREAMS = {'/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'}
WRITES = ('write', 'writev', 'sendfile')
SPAWNS = {'os.exec', 'os.fork', 'os.forkpty', 'os.posix_spawn', 'os.spawn', 'os.system', 'pty.spawn'}


class Output(io.FileIO):
    used = False

    def write(self, data):
        Output.used = True
        return super().write(data)


class Figures:
    """Finds matplotlib's modules as usual, and learns which figures the program saves itself."""

    def __init__(self):
        self.saved = []
        self.made = 0
        self.changes = {'matplotlib.backend_bases': self.watch_saving, 'matplotlib.pyplot': self.save_shown}

    def find_spec(self, name, path=None, target=None):
        if name == 'matplotlib.font_manager':
            import logging
            # On a slow machine matplotlib writes this message to the program's standard error.
            logging.getLogger(name).addFilter(lambda record: not record.getMessage().startswith('Matplotlib is building the font cache'))
        change = self.changes.pop(name, None)
        if change is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or not hasattr(spec.loader, 'exec_module'):
            return spec
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            change(module)

        spec.loader.exec_module = exec_module
        return spec

    def watch_saving(self, module):
        original = module.FigureCanvasBase.print_figure

        @functools.wraps(original)
        def print_figure(canvas, *args, **options):
            self.saved.append(canvas.figure)
            return original(canvas, *args, **options)

        module.FigureCanvasBase.print_figure = print_figure

    def save_shown(self, module):
        original = module.show

        @functools.wraps(original)
        def show(*args, **options):
            self.save()
            module.close('all')

        module.show = show

    def save(self):
        pyplot = sys.modules.get('matplotlib.pyplot')
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            figure = pyplot._pylab_helpers.Gcf.figs[number].canvas.figure
            empty = not (figure.axes or figure.images or figure.lines or figure.texts or figure.patches)
            if empty or any(figure is other for other in self.saved):
                continue
            if self.made == MOST_FIGURES:
                print(f'only {MOST_FIGURES} figures are saved', file=sys.stderr)
            self.made += 1
            if self.made > MOST_FIGURES:
                return
            at = 1
            while os.path.exists(f'figure-{at}.png'):
                at += 1
            try:
                figure.savefig(f'figure-{at}.png')
            except Exception as error:
                print(f'figure {number} could not be saved: {error}', file=sys.stderr)


def is_output(fd):
    try:
        one, other = os.fstat(fd), os.fstat(1)
    except (OSError, TypeError, ValueError, OverflowError):
        return False
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def watch_writing(name):
    """Notes what is written past the stream, by number; once that is known the original is back."""
    original = getattr(os, name, None)
    if original is None:
        return

    @functools.wraps(original)
    def write(fd, *args, **options):
        if is_output(fd):
            Output.used = True
            setattr(os, name, original)
        return original(fd, *args, **options)

    setattr(os, name, write)


def watch_others(event, args):
    """Notes that another process may print, one that has this one's standard output, or another stream of this one."""
    if Output.used:
        return
    if event == 'subprocess.Popen':
        to = sys._getframe(1).f_locals.get('c2pwrite', -1)
        Output.used = to == -1 or is_output(to)
    elif event == 'open':
        Output.used = args[0] == 1 or args[0] in STREAMS
    elif event in SPAWNS:
        Output.used = sys._getframe(1).f_globals.get('__name__') != 'subprocess'


def last_of(source):
    """The program without its last expression, and that; or all of it and None."""
    if len(source) > PARSED:
        return compile(source, PATH, 'exec', dont_inherit=True), None
    tree = ast.parse(source, PATH)
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return compile(source, PATH, 'exec', dont_inherit=True), None
    last = ast.Expression(tree.body.pop().value)
    first = compile(tree, PATH, 'exec', dont_inherit=True)
    flags = functools.reduce(lambda all, name: all | getattr(__import__('__future__'), name).compiler_flag, __import__('__future__').all_feature_names, 0)
    return first, compile(last, PATH, 'eval', first.co_flags & flags, dont_inherit=True)


def run():
    module = types.ModuleType('__main__')
    space = module.__dict__
    loader = importlib.machinery.SourceFileLoader('__main__', PATH)
    space.update(__annotations__={}, __builtins__=builtins, __cached__=None, __file__=PATH, __loader__=loader, __package__=None)
    sys.modules['__main__'] = module
    sys.argv[0] = 'main.py'
    figures = Figures()
    sys.meta_path.insert(0, figures)
    began = False
    try:
        with io.open_code(PATH) as file:
            first, last = last_of(file.read())
        if last is not None:
            raw = Output(1, 'wb', closefd=False)
            raw.name = '<stdout>'
            plain = sys.stdout
            sys.stdout = sys.__stdout__ = io.TextIOWrapper(raw, plain.encoding, plain.errors, write_through=True)
            sys.addaudithook(watch_others)
            for name in WRITES:
                watch_writing(name)
        began = True
        exec(first, space)
        if last is not None:
            value = eval(last, space)
            if value is not None and not Output.used:
                print(repr(value))
    except SystemExit:
        figures.save()
        raise
    except BaseException as error:
        trace = error.__traceback__.tb_next if began else None
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        figures.save()
        sys.exit(1)
    figures.save()


sys.path[0] = '/job'
`

/** The same, started before the program exists, in the form required by `itself` of a warm program. */
const WAIT = `
open('/job/.tmp/up', 'w').close()
open('/job/.tmp/go').readline()
`

/** A runner that starts at once and first deletes itself, so that the program finds its folder as the caller filled it. */
export const RUN_NOW = `${RUN}os.remove(__file__)\nrun()\n`
export const RUN_ON_REQUEST = `${RUN}${WAIT}run()\n`
