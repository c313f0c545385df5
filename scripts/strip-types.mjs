/**
 * The quick build of `npm start`: takes the types out of every source that the gateway loads, without checking them, file by file in two threads.
 * What has not changed since the last time is left as it is. Run by prepare.mjs with the folder to build into; needs some 300 MiB.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCES = ['core', 'plugins', 'config', join('scripts', 'capstan')]
const THREADS = 2
const OUTPUT = { '.ts': '.js', '.cts': '.cjs' }

if (isMainThread) await build(process.argv[2])
else await strip(workerData)

async function build(folder) {
  const record = join(folder, '.hashes.json')
  const compiler = hashOf(readFileSync(join(root, 'node_modules', 'typescript', 'package.json')))
  const before = readRecord(record)
  const known = before.compiler === compiler ? before.files : {}
  const files = Object.fromEntries(SOURCES.flatMap((name) => sources(join(root, name))).map((file) => [file, hashOf(readFileSync(file))]))
  const stale = Object.keys(files).filter((file) => files[file] !== known[file])
  // In turns, so that the folders with large files are shared.
  const parts = Array.from({ length: THREADS }, (_, at) => stale.filter((_file, index) => index % THREADS === at))
  await Promise.all(parts.filter((part) => part.length > 0).map((part) => done(part, folder)))
  mkdirSync(folder, { recursive: true })
  writeFileSync(record, JSON.stringify({ compiler, files }))
}

function done(files, folder) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { files, folder } })
    let failure = new Error('a thread of the build ended early')
    worker.on('message', () => (failure = null))
    worker.on('error', (error) => (failure = error))
    worker.on('exit', () => (failure === null ? resolve() : reject(failure)))
  })
}

async function strip({ files, folder }) {
  const { default: ts } = await import('typescript')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  for (const file of files) {
    const [code, map] = outputs(folder, file)
    const esm = !file.endsWith('.cts')
    const { outputText, sourceMapText } = ts.transpileModule(readFileSync(file, 'utf8'), {
      fileName: file,
      compilerOptions: { ...options, declaration: false, module: esm ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS },
    })
    mkdirSync(dirname(code), { recursive: true })
    writeFileSync(code, outputText)
    writeFileSync(map, JSON.stringify({ ...JSON.parse(sourceMapText), sources: [relative(dirname(map), file)] }))
  }
  parentPort.postMessage('done')
}

function outputs(folder, file) {
  const path = join(folder, relative(root, file)).replace(/\.c?ts$/, (end) => OUTPUT[end])
  return [path, `${path}.map`]
}

/** Sources without the tests beside them. */
function sources(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return /(?<!\.d|\.spec)\.c?ts$/.test(entry.name) ? [path] : []
  })
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error
    return { files: {} }
  }
}

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
