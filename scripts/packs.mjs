/**
 * Engine packs: what local engines with a model need, by the manifests in `packs` of plugins. Each becomes a folder of `.tools`. Files are taken out of
 * the archives of package registries as data: nothing of a package runs.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { manifestFault } from './pack-manifest.mjs'
import { buildFolder, npmDownload, pipDownload, pipIn, pipInstall } from './tool-folder.mjs'

/** Writes one member of a wheel to standard output. */
const TAKE_OUT = 'import shutil, sys, zipfile; shutil.copyfileobj(zipfile.ZipFile(sys.argv[1]).open(sys.argv[2]), sys.stdout.buffer)'

/**
 * The packs of the bundled plugins, of the plugins in the folders of `CAPSTAN_PLUGINS`, and of further manifests, by id. A manifest that cannot be used, and
 * an id that is in two, are reported and left out.
 */
export function packsOf(root, say, { files = [], env = process.env } = {}) {
  const own = (env.CAPSTAN_PLUGINS ?? '').split(/[:,]/).filter((folder) => folder !== '')
  const folders = [...below(join(root, 'plugins')), ...own.flatMap((folder) => [resolve(folder), ...below(resolve(folder))])]
  const found = new Map()
  for (const file of [...folders.flatMap((folder) => manifestsIn(join(folder, 'packs'))), ...files.map((file) => resolve(file))]) {
    const pack = packIn(file, say)
    const other = pack === null ? undefined : found.get(pack.id)
    if (other !== undefined && other.file !== file) say(`${file}: ${other.file} is another pack with the id ${pack.id}`)
    else if (pack !== null) found.set(pack.id, pack)
  }
  return found
}

/**
 * What `bin/ID` of a pack does: prints what the pack is, or with `check MANIFEST` ends with 1 and the reason where the pack is another, or a file is missing or
 * of another size. Names of files only; no file is read.
 */
const PROGRAM = `#!/bin/sh
cd "$(dirname "$(dirname "$(realpath "$0")")")" || exit 1
fault() {
  echo "engine pack ID: $1; npm run tools -- ID" >&2
  exit 1
}
if [ "$1" = check ]; then
  cmp -s pack.json "$2" || fault "$PWD is not what $2 says"
  [ -f contents ] || fault "$PWD/contents is missing"
  lack=$(cut -d ' ' -f 2- contents | tr '\\n' '\\0' | xargs -0 stat -c '%s %n' 2>/dev/null | diff contents - | sed -n 's/^< [0-9]* //p' | head -n 1)
  [ -z "$lack" ] || fault "$PWD/$lack is missing or cut short"
  exit 0
fi
exec cat <<'END OF PACK'
ABOUT
END OF PACK
`

/** True when the folder of a pack has what its manifest lists now, whole. */
export function isPackCurrent(pack, { root, python }) {
  const folder = join(root, '.tools', pack.id)
  const [stamp, program, contents] = [join(folder, 'stamp'), join(folder, 'bin', pack.id), join(folder, 'contents')]
  if (![program, contents, stamp].every(existsSync) || readFileSync(stamp, 'utf8') !== stampOf(pack, python)) return false
  if (spawnSync(program, ['check', pack.file], { stdio: 'ignore' }).status !== 0) return false
  return (pack.manifest.files ?? []).every(({ path, sha256 }) => hashOf(join(folder, path)) === sha256)
}

/** Brings a pack. Answers whether it is there then; says what failed and what mends it. */
export function bringPack(pack, { root, python, npm, say }) {
  const { id, manifest } = pack
  if (needsPython(manifest) && python === null) {
    say(`${id}: python3 is not installed below /usr, where programs in the sandbox see it: apt-get install python3-venv`)
    return false
  }
  say(`bringing ${id}: ${manifest.title}, ${manifest.installed_mb} MB`)
  return buildFolder(root, id, (building) => {
    const archives = new Archives(join(building, 'archives'), { root, python, npm, say, id })
    const parts = [() => takeFiles(manifest.files ?? [], building, archives), () => unpack(manifest.packages ?? [], building, archives)]
    if (!parts.every((part) => part())) return false
    if (manifest.wheels !== undefined && !installWheels(pack, building, archives)) return false
    rmSync(archives.folder, { recursive: true, force: true })
    const licences = licencesOf(manifest)
    mkdirSync(join(building, 'bin'), { recursive: true })
    const about = [`${id}: ${manifest.title}, for ${manifest.serves}`, ...licences].join('\n')
    writeFileSync(
      join(building, 'bin', id),
      PROGRAM.replaceAll('ID', id).replace('ABOUT', () => about),
      { mode: 0o755 },
    )
    writeFileSync(join(building, 'pack.json'), pack.text)
    writeFileSync(join(building, 'contents'), contentsOf(building))
    writeFileSync(join(building, 'stamp'), stampOf(pack, python))
    if (spawnSync('chmod', ['-R', 'a+rX', building]).status !== 0) return false
    say(`${id} is there, for ${manifest.serves}; under these licences:`)
    for (const line of licences) say(`  ${line}`)
    if (manifest.for === undefined) say(`a gateway that was started without ${id} finds it after SIGHUP`)
    return true
  })
}

function below(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
}

function manifestsIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
}

function packIn(file, say) {
  try {
    const text = readFileSync(file, 'utf8')
    const manifest = JSON.parse(text)
    const fault = manifestFault(manifest, file)
    if (fault === null) return { id: manifest.id, file, text, manifest }
    say(`${file}: ${fault}`)
  } catch (error) {
    say(`${file}: ${error.message}`)
  }
  return null
}

/** Changes with the manifest, the list of wheels, and for these the Python below. */
function stampOf({ text, file, manifest }, python) {
  const hash = createHash('sha256').update(text)
  if (manifest.wheels !== undefined)
    hash.update(readFileSync(join(dirname(file), manifest.wheels.list))).update(realpathSync(python ?? '/'))
  return hash.digest('hex')
}

function needsPython({ files = [], wheels }) {
  return wheels !== undefined || files.some((file) => [file, ...(file.parts ?? [])].some(({ pypi }) => pypi !== undefined))
}

/** Archives of packages, each downloaded once. */
class Archives {
  #known = new Map()
  #pip = null

  constructor(folder, options) {
    Object.assign(this, { folder, ...options })
    mkdirSync(folder)
  }

  /** The Python of an environment with pip, made at the first need; null when it cannot be made. */
  pip() {
    this.#pip ??= pipIn(join(this.folder, 'pip'), { python: this.python, cwd: this.root, say: this.say, name: this.id })
    return this.#pip
  }

  /** Path of the archive of a package; null, and said, when it did not come. */
  get({ npm, pypi }) {
    const spec = npm ?? pypi
    const known = this.#known.get(spec)
    if (known !== undefined) return known
    const into = join(this.folder, String(this.#known.size))
    mkdirSync(into)
    this.say(`${this.id}: ${spec} from ${npm === undefined ? 'PyPI' : 'npm'}`)
    const pip = npm === undefined ? this.pip() : null
    const came =
      npm === undefined
        ? pip !== null && pipDownload(pip, { spec, into, cwd: this.root })
        : npmDownload(this.npm, { spec, into, cwd: this.root })
    const [name] = readdirSync(into)
    if (!came || name === undefined) {
      this.say(
        `${this.id}: ${spec} did not come. Is the package registry reachable, and is there room on the disk? Then: npm run tools -- ${this.id}`,
      )
      return null
    }
    this.#known.set(spec, join(into, name))
    return join(into, name)
  }
}

function takeFiles(files, building, archives) {
  return files.every((file) => {
    const place = join(building, file.path)
    mkdirSync(dirname(place), { recursive: true })
    const out = openSync(place, 'wx', 0o644)
    try {
      if (!(file.parts ?? [file]).every((part) => takeOut(part, out, archives))) return false
    } finally {
      closeSync(out)
    }
    return hasHash(place, file.sha256, file.path, archives)
  })
}

/** Writes a member of an archive to a descriptor. */
function takeOut(part, out, archives) {
  const archive = archives.get(part)
  if (archive === null) return false
  const [program, args] =
    part.npm === undefined ? [archives.python, ['-IBc', TAKE_OUT, archive, part.member]] : ['tar', ['-xzOf', archive, '--', part.member]]
  const taken = spawnSync(program, args, { stdio: ['ignore', out, 'ignore'] }).status === 0
  if (!taken) archives.say(`${archives.id}: ${part.npm ?? part.pypi} has no ${part.member}`)
  return taken
}

/** Whole npm packages; those of other machines are left out. */
function unpack(packages, building, archives) {
  const fits = ({ os = process.platform, cpu = process.arch }) => os === process.platform && cpu === process.arch
  if (packages.some(({ os }) => os !== undefined) && !packages.some((each) => each.os !== undefined && fits(each))) {
    archives.say(`${archives.id}: there is nothing for ${process.platform} on ${process.arch} in it`)
    return false
  }
  return packages.filter(fits).every(({ npm, sha256 }) => {
    const archive = archives.get({ npm })
    if (archive === null || !hasHash(archive, sha256, npm, archives)) return false
    const into = join(building, 'node_modules', npm.replace(/@[^@]*$/, ''))
    mkdirSync(into, { recursive: true })
    const args = ['-xzf', archive, '-C', into, '--strip-components=1', '--no-same-owner', '--no-same-permissions']
    return spawnSync('tar', args, { stdio: ['ignore', 'ignore', 2] }).status === 0
  })
}

function installWheels({ file, manifest }, building, archives) {
  const pip = archives.pip()
  const list = join(dirname(file), manifest.wheels.list)
  if (pip === null) return false
  if (pipInstall(pip, { list, target: join(building, 'lib'), cwd: archives.root, bytecode: false })) return true
  archives.say(
    `${archives.id}: pip could not install what ${list} lists. Is the package registry reachable, and is there room on the disk?`,
  )
  return false
}

/** The size and path of each file, a line each, by which an engine and `bin/ID` see that a pack is whole. */
function contentsOf(folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
  return paths
    .sort()
    .map((path) => `${statSync(join(folder, path)).size} ${path}\n`)
    .join('')
}

function hashOf(path) {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 20)
  const file = openSync(path, 'r')
  for (let read = 1; read > 0;) hash.update(chunk.subarray(0, (read = readSync(file, chunk))))
  closeSync(file)
  return hash.digest('hex')
}

function hasHash(path, wanted, name, { say, id }) {
  const found = hashOf(path)
  if (found !== wanted) say(`${id}: ${name} (${statSync(path).size} bytes) has the SHA-256 ${found}, not ${wanted}: it is not used`)
  return found === wanted
}

function licencesOf({ files = [], packages = [], wheels }) {
  const ofFiles = files.map(
    ({ path, licence, npm, pypi, parts }) =>
      `${path} (${npm ?? pypi ?? parts.map((part) => part.pypi ?? part.npm).join(', ')}): ${licence}`,
  )
  const ofWheels = Object.entries(wheels?.licences ?? {}).map(([name, licence]) => `${name}: ${licence}`)
  return [...ofFiles, ...packages.map(({ npm, licence }) => `${npm}: ${licence}`), ...ofWheels]
}
