import type { CodeInput, Language } from './contract.js'
import { DEFINE_COMMONJS, JAVASCRIPT_RUNNER } from './guest/javascript.js'
import { PYTHON_RUNNER, RUN_NOW } from './guest/python.js'

/** The file name of the program in each language, beside the caller's files. */
const FILES = { python: 'main.py', javascript: 'main.js', shell: 'main.sh' } as const
/** The archive that carries installed packages from the step with network to the run without. */
export const PACKAGES_FILE = 'packages.tgz'
/** The folder for unpacked packages, beside the program. */
export const PACKAGES_FOLDER = '.pkgs'
/** Variables of a program in any language. */
export const PACKAGES_ENV = { PYTHONPATH: `/job/${PACKAGES_FOLDER}`, MPLBACKEND: 'Agg' }
/** Debian's matplotlib reads its settings from /etc, which is not visible; its packages have the same file here. */
export const MATPLOTLIBRC = '/usr/share/matplotlib/mpl-data/matplotlibrc'
/** MiB a program may use. */
export const MEMORY_MB = 512
/**
 * MiB of heap for Node, which reserves far more address space than it uses and is therefore limited by its own
 * option.
 */
const HEAP_MB = 384
/** Processes a program may have at once. */
export const PROCESSES = 128
/** MiB of files a program may make. */
export const DISK_MB = 256
/** Most files and folders of a program, where its file system supports that limit. */
export const MAX_FILES = 100_000

/** True for names reserved by the runner; they are refused for callers' files and never in the output. */
export function isRunnerFile(name: string, language: Language): boolean {
  return name === FILES[language] || name === PACKAGES_FILE || runnerFiles(language).some((file) => file.name === name)
}

/** The file name of the program. */
export function fileOf(language: Language): string {
  return FILES[language]
}

/** The program as interpreters expect it: without a byte order mark, and for a shell with Unix line endings. */
export function textOf({ code, language }: Pick<CodeInput, 'code' | 'language'>): string {
  const text = code.startsWith('\ufeff') ? code.slice(1) : code
  return language === 'shell' ? text.replaceAll('\r\n', '\n') : text
}

/** Files that the interpreter of `commandOf` needs beside the program. */
export function runnerFiles(language: Language): readonly { readonly name: string; readonly data: Uint8Array }[] {
  if (language === 'python') return [{ name: PYTHON_RUNNER, data: Buffer.from(RUN_NOW) }]
  return language === 'javascript' ? [{ name: JAVASCRIPT_RUNNER, data: Buffer.from(DEFINE_COMMONJS) }] : []
}

/**
 * The interpreter and its arguments, with the files of `runnerFiles`; `shell` is bash if available, else sh. Output
 * is unbuffered, so that it survives a kill.
 */
export function commandOf(language: Language): { readonly program: string; readonly args: readonly string[] } {
  if (language === 'python') return { program: 'python3', args: ['-u', '-B', PYTHON_RUNNER] }
  if (language === 'javascript')
    return { program: 'node', args: [`--max-old-space-size=${HEAP_MB}`, '--require', `./${JAVASCRIPT_RUNNER}`, FILES.javascript] }
  return { program: 'sh', args: ['-c', 'if command -v bash >/dev/null 2>&1; then exec bash "$0"; else exec sh "$0"; fi', FILES.shell] }
}

/** One command line for services that take a shell line. Nothing of it comes from the caller. */
export function lineOf(language: Language): string {
  return { python: `python3 -u -B ${FILES.python}`, javascript: `node ${FILES.javascript}`, shell: `bash ${FILES.shell}` }[language]
}
