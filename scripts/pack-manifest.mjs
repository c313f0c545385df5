/** What a manifest of an engine pack may say. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ID = /^[a-z0-9][a-z0-9-]*$/
const SPEC = /^(?:@[a-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*@\d[\w.+-]*$/
const HASH = /^[0-9a-f]{64}$/
const LINE = /^[^\p{C}]{1,200}$/u
const FIELDS = ['id', 'title', 'serves', 'installed_mb', 'files', 'packages', 'wheels', 'for', 'about']
/** Names in the folder of a pack that are the tools' own. */
const OWN = ['bin', 'contents', 'stamp', 'pack.json', 'lib', 'node_modules', 'archives']

/** Why the manifest in a file cannot be used, or null. */
export function manifestFault(manifest, file) {
  if (!isRecord(manifest)) return 'it is no object'
  const { id, title, serves, installed_mb: size, files = [], packages = [], wheels } = manifest
  const unknown = Object.keys(manifest).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) return `it has the field ${unknown}; there are ${FIELDS.join(', ')}`
  if (typeof id !== 'string' || !ID.test(id) || id === 'engines') return 'id is not words of a-z, 0-9 and -'
  if (basename(file) !== `${id}.json`) return `the file of the pack ${id} is named ${id}.json`
  if (![title, serves].every(isLine)) return 'title and serves are a line of text each'
  if (!Number.isFinite(size) || size <= 0) return 'installed_mb is the size in megabytes'
  if (manifest.for !== undefined && !ID.test(manifest.for)) return 'for is the id of another pack'
  if (!Array.isArray(files) || !Array.isArray(packages)) return 'files and packages are lists'
  if (files.length + packages.length === 0 && wheels === undefined) return 'it lists nothing'
  const paths = files.map((each) => each?.path)
  if (new Set(paths).size < paths.length) return 'two files have the same path'
  return first(files, fileFault) ?? first(packages, packageFault) ?? wheelsFault(wheels, file)
}

function fileFault(file) {
  const { path, parts, sha256, licence } = file
  if (!isPath(path) || OWN.includes(path.split('/')[0]))
    return `the path ${JSON.stringify(path)} is not relative, or begins with ${OWN.join(', ')}`
  if (!HASH.test(sha256) || !isLine(licence)) return `${path} wants sha256 and licence`
  if (parts === undefined) return partFault(file, path)
  return Array.isArray(parts) && parts.length > 1 ? first(parts, (part) => partFault(part, path)) : `parts of ${path} are a list of several`
}

function partFault({ npm, pypi, member }, path) {
  if ((npm === undefined) === (pypi === undefined)) return `${path} comes from npm or from pypi`
  if (!SPEC.test(npm ?? pypi)) return `${path} comes from ${npm ?? pypi}, which is not name@version`
  return isPath(member) ? null : `${path} wants its member of the archive`
}

function packageFault({ npm, sha256, licence, os, cpu }) {
  if (typeof npm !== 'string' || !SPEC.test(npm)) return `the package ${npm} is not name@version`
  if (!HASH.test(sha256) || !isLine(licence)) return `${npm} wants sha256 and licence`
  return [os, cpu].every((word) => word === undefined || ID.test(word)) ? null : `os and cpu of ${npm} are words`
}

/** Each package of the list is pinned with hashes and has a licence. */
function wheelsFault(wheels, file) {
  if (wheels === undefined) return null
  const { list, licences } = wheels
  if (typeof list !== 'string' || basename(list) !== list || !list.endsWith('.txt'))
    return 'wheels.list is the name of a .txt file beside the manifest'
  const path = join(dirname(file), list)
  if (!existsSync(path)) return `${list} is not there`
  const lines = readFileSync(path, 'utf8').replaceAll('\\\n', ' ').split('\n')
  const rows = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const wrong = rows.find((line) => !/^[A-Za-z0-9._-]+==[\w.+]+( +--hash=sha256:[0-9a-f]{64})+$/.test(line))
  if (wrong !== undefined) return `${list} has the line ${wrong.slice(0, 60)}, which is not name==version with hashes`
  const bare = rows.map((line) => line.split('==')[0]).find((name) => !isLine(licences?.[name]))
  return bare === undefined ? null : `wheels.licences says nothing of ${bare}`
}

function first(list, faultOf) {
  for (const each of list) {
    const fault = isRecord(each) ? faultOf(each) : 'an entry is no object'
    if (fault !== null) return fault
  }
  return null
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isLine(value) {
  return typeof value === 'string' && LINE.test(value)
}

function isPath(value) {
  return isLine(value) && !value.startsWith('/') && value.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
