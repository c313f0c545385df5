import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is used where it is: installed, not built, and large. */
const LINKED = ['node_modules', '.venv', '.tools']
const LEFT = ['.git', '.build', 'coverage', 'data']

/**
 * A copy of a project with its build in a temporary folder, in which one source at a time is another. Its files are those of the project where the
 * file system can have them under two names, and what is changed is a file of its own.
 */
export class Tree {
  #root
  #compiler
  #changed = null

  constructor(root) {
    this.#root = root
    this.folder = mkdtempSync(join(tmpdir(), 'capstan-mutants-'))
    // Programs in the sandbox run as other users, and read the code of parsers.
    chmodSync(this.folder, 0o755)
    copy(root, this.folder, [...LINKED, ...LEFT])
    for (const name of readdirSync(root)) if (LINKED.includes(name)) symlinkSync(join(root, name), join(this.folder, name))
    this.#compiler = compilerOf(root)
  }

  /** Puts the mutant of a source into the build; the one before is taken out. Types are not checked. Throws for a text that is no program. */
  put({ file, from, to }) {
    this.restore()
    const source = readFileSync(join(this.#root, file), 'utf8').replace(from, () => to)
    const path = outputOf(file)
    const text = file.endsWith('ts') ? this.#compiler(file, source) : source
    this.#changed = path
    rmSync(join(this.folder, path))
    writeFileSync(join(this.folder, path), text)
  }

  restore() {
    const changed = this.#changed
    this.#changed = null
    if (changed === null) return
    rmSync(join(this.folder, changed), { force: true })
    copyFile(join(this.#root, changed), join(this.folder, changed))
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Where the program made of a source is. */
function outputOf(file) {
  if (!file.endsWith('ts')) return file
  return join('dist', file.replace(/\.(c|m)?ts$/, '.$1js'))
}

function copy(from, to, without = []) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (without.includes(entry.name)) continue
    if (entry.isDirectory()) copy(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) copyFile(join(from, entry.name), join(to, entry.name))
  }
}

function copyFile(from, to) {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(error.code)) throw error
    copyFileSync(from, to)
  }
}

/** Compiles one source by itself, as the project's build would. */
function compilerOf(root) {
  const ts = createRequire(join(root, 'package.json'))('typescript')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const own = { ...options, declaration: false, sourceMap: false, incremental: false, composite: false, isolatedModules: true }
  return (file, source) => {
    const module = file.endsWith('.cts') ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext
    const compilerOptions = { ...own, module, moduleResolution: ts.ModuleResolutionKind.Bundler }
    const result = ts.transpileModule(source, { compilerOptions, fileName: join(root, file), reportDiagnostics: true })
    const [first] = result.diagnostics ?? []
    if (first !== undefined) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, ' '))
    return result.outputText
  }
}
