import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

interface Options {
  readonly root: string
  readonly python: string | null
  readonly npm: string
  readonly env: Readonly<Record<string, string>>
}
type Provide = (names: readonly string[], say: (text: string) => void, options: Options) => boolean
type Files = Readonly<Record<string, string | Uint8Array>>

/** A fake npm: returns the archive in `registry`. */
const NPM = `#!/bin/sh
echo "npm $*" >>ROOT/calls
cp "ROOT/registry/$(echo "$2" | tr '/' '_').tgz" "$4"
`
/** A fake Python for calls of pip. */
const PYTHON = `#!/bin/sh
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  "-m pip") echo "pip $*" >>ROOT/calls
    for last; do :; done
    case " $* " in
      *" download "*) while [ "$1" != --dest ]; do shift; done; cp "ROOT/registry/$last.whl" "$2" ;;
      *) while [ "$1" != --target ]; do shift; done; mkdir -p "$2"; cp "$last" "$2/installed" ;;
    esac ;;
  *) exec /usr/bin/python3 "$@" ;;
esac
`
/** Packs a folder without compression. */
const ZIP = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
  for folder, _, names in os.walk(sys.argv[2]):
    for name in names:
      path = os.path.join(folder, name)
      wheel.write(path, os.path.relpath(path, sys.argv[2]))
`

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** A project with a `.tools` folder of its own, whose npm and pip give the packages that a test makes. Needs python3 and tar. */
export class PackRegistry {
  readonly root = mkdtempSync(join(tmpdir(), 'capstan-packs-'))
  readonly said: string[] = []
  readonly #provide: Provide

  private constructor(provide: Provide) {
    this.#provide = provide
    // For users that programs in the sandbox run as.
    chmodSync(this.root, 0o755)
    mkdirSync(join(this.root, 'scripts', 'tools'), { recursive: true })
    mkdirSync(join(this.root, 'registry'))
    writeFileSync(join(this.root, 'npm'), NPM.replaceAll('ROOT', this.root), { mode: 0o755 })
    writeFileSync(join(this.root, 'python3'), PYTHON.replaceAll('ROOT', this.root), { mode: 0o755 })
  }

  static async open(): Promise<PackRegistry> {
    const { provideTools } = (await import(join(packageRoot(), 'scripts', 'tools.mjs'))) as { provideTools: Provide }
    return new PackRegistry(provideTools)
  }

  /** What `npm run tools -- NAMES` does in this project. Answers whether all are there then; what it prints is in `said`. */
  readonly provide = (...names: string[]): boolean => {
    const { root } = this
    const options = { root, python: join(root, 'python3'), npm: join(root, 'npm'), env: { CAPSTAN_PLUGINS: join(root, 'further') } }
    return this.#provide(names, (text) => this.said.push(text), options)
  }

  readonly at = (...path: string[]): string => join(this.root, '.tools', ...path)

  /** The arguments of npm and pip. */
  calls(): string[] {
    const file = join(this.root, 'calls')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  /** A package of PyPI, by name==version. */
  wheel(spec: string, files: Files): void {
    const folder = this.#folderWith(files)
    const { status, stderr } = spawnSync('/usr/bin/python3', ['-c', ZIP, join(this.root, 'registry', `${spec}.whl`), folder], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
  }

  /** A package of npm, by name@version; its files lie below `package`. */
  tarball(spec: string, files: Files): Buffer {
    const archive = join(this.root, 'registry', `${spec.replaceAll('/', '_')}.tgz`)
    spawnSync('tar', ['-czf', archive, '-C', this.#folderWith(files), 'package'])
    return readFileSync(archive)
  }

  /** Writes a manifest into `FOLDER/packs`; answers its path. */
  manifest(id: string, fields: object, folder = 'plugins/demo'): string {
    const file = join(this.root, folder, 'packs', `${id}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ id, title: 'A demo', serves: 'demo.port', installed_mb: 1, ...fields }))
    return file
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  #folderWith(files: Files): string {
    const folder = mkdtempSync(join(this.root, 'made-'))
    for (const [name, data] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), data, { mode: 0o600 })
    }
    return folder
  }
}
