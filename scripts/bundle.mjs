/**
 * Joins the modules of a build that the gateway loads at its start, some 1,700 with those of packages, into one file, and those of its threads and
 * of processes in the sandbox into a file for each, since Node takes about a millisecond for each module. Run by every build:
 * node scripts/bundle.mjs [FOLDER], dist by default.
 *
 *   capstan.js             the command line
 *   bundle/modules.js      the joined modules, as a table of functions that evaluate them; nothing is evaluated before it is asked for
 *   bundle/core, plugins   modules of threads and processes; and what other folders' plugins import of the gateway, which leads to the joined modules
 *   bundle/chunks          what several of them share
 */
import { build } from 'esbuild'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Packages inside the files, with their own dependencies. Those with threads, binaries or data files stay outside. */
const PACKAGES = new Set([
  '@e965/xlsx',
  '@koa/router',
  '@mozilla/readability',
  'ajv',
  'ajv-formats',
  'aws4fetch',
  'commander',
  'content-disposition',
  'csv-parse',
  'dns-packet',
  'eventsource-parser',
  'fast-xml-parser',
  'file-type',
  'htmlparser2',
  'ipaddr.js',
  'koa',
  'linkedom',
  'lru-cache',
  'picocolors',
  'postal-mime',
  'prom-client',
  'rate-limiter-flexible',
  're2js',
  'reflect-metadata',
  'tar-stream',
  'tldts',
  'tsyringe',
  'turndown',
  'typebox',
  'undici',
  'yauzl',
])
/** Packages that share their state with packages outside: never a second copy of them, in whatever package. */
const SHARED = new Set(['@opentelemetry/api'])
/** Large packages outside, in CommonJS, that modules import in the usual way: an import of the file itself would load them with it. */
const LARGE = new Set(['@modelcontextprotocol/server', 'ioredis', 'mongoose'])
const COMMAND_LINE = 'scripts/capstan/cli/main.js'
const SDK = 'core/sdk/index.js'
/** The module whose table is empty in the single modules. */
const TABLE = 'core/loader/gateway-modules.js'
/** The file of a thread, of a process, or of a module for one, as the sources write it. */
const SCRIPT_URL = /new URL\('([^']+\.js)', import\.meta\.url\)/g

/** Writes the bundle of a build. */
async function bundle(folder) {
  const modules = [COMMAND_LINE, SDK, ...pluginModules(folder)]
  const scripts = scriptsOf(folder)
  const common = {
    absWorkingDir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    minifyWhitespace: true,
    lineLimit: 200,
    sourcesContent: false,
    legalComments: 'linked',
    logLevel: 'warning',
    plugins: [packagesOutside, ownModules(folder, modules, scripts)],
  }
  const { outputFiles: joined } = await build({
    ...common,
    stdin: { contents: `export { gatewayModules } from './${TABLE}'`, resolveDir: folder },
    outfile: 'bundle/modules.js',
  })
  const { outputFiles: separate } = await build({
    ...common,
    entryPoints: scripts,
    outdir: 'bundle',
    outbase: folder,
    splitting: true,
    chunkNames: 'chunks/[hash]',
  })
  // Only now: a gateway that runs from this build starts threads from it.
  rmSync(join(folder, 'bundle'), { recursive: true, force: true })
  for (const { path, text } of [...joined, ...separate]) write(path, path.endsWith('.js') ? header(folder, path) + ascii(text) : text)
  write(
    join(folder, 'capstan.js'),
    `import { gatewayModules } from './bundle/modules.js'\nawait gatewayModules[${JSON.stringify(COMMAND_LINE)}]()\n`,
  )
  await writeReexports(
    folder,
    modules.filter((path) => path === SDK || path.endsWith('/contract.js')),
  )
}

/** What the loader imports of the plugins. */
function pluginModules(folder) {
  const plugins = join(folder, 'plugins')
  return readdirSync(plugins, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .flatMap(({ name }) => [
      ...['index.js', 'contract.js', 'handler.js'].map((file) => join(plugins, name, file)).filter((file) => existsSync(file)),
      ...javascriptBelow(join(plugins, name, 'providers')),
    ])
    .map((file) => relative(folder, file))
}

/** The files of threads and processes that modules of the gateway name. */
function scriptsOf(folder) {
  const files = ['core', 'plugins', 'scripts/capstan'].flatMap((name) => javascriptBelow(join(folder, name)))
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(SCRIPT_URL)].map(([, path]) => relative(folder, join(dirname(file), path))),
  )
  return [...new Set(named)].filter((path) => existsSync(join(folder, path)) && !path.startsWith('core/sdk/testkit/')).sort()
}

function javascriptBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.spec)\.js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Leaves packages outside, except those of the list. Large ones are loaded by the first module that imports them. */
const packagesOutside = {
  name: 'packages outside',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, namespace, kind }) => {
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      if (kind === 'entry-point' || PACKAGES.has(name) || (importer.includes('/node_modules/') && !SHARED.has(name))) return undefined
      return LARGE.has(path) && namespace !== 'at use' ? { path, namespace: 'at use' } : { path, external: true }
    })
    onLoad({ filter: /./, namespace: 'at use' }, ({ path }) => ({ contents: `module.exports = require(${JSON.stringify(path)})` }))
  },
}

/** Reads modules of the build, each with the address of its own file and with those of the scripts, and the table. */
function ownModules(folder, modules, scripts) {
  const table = modules.map((path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(`../../${path}`)}),`).join('\n')
  const contents = { [TABLE]: `export const gatewayModules = {\n${table}\n}\nexport const modulesFolder = bundleUrl('bundle/')\n` }
  return {
    name: 'modules of the build',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const own = relative(folder, path)
        if (own.startsWith('..') || own.includes('node_modules')) return undefined
        const text = readFileSync(path, 'utf8')
          .replace(SCRIPT_URL, (whole, named) => {
            const script = relative(folder, join(dirname(path), named))
            return scripts.includes(script) ? `new URL(bundleUrl(${JSON.stringify(`bundle/${script}`)}))` : whole
          })
          .replaceAll('import.meta.url', `bundleUrl(${JSON.stringify(own)})`)
        return { contents: contents[own] ?? text, loader: 'js', resolveDir: dirname(path) }
      }),
  }
}

/** What each file begins with, in one line: the address of a file of the build, and `require` for packages in CommonJS. */
function header(folder, path) {
  const up = '../'.repeat(relative(folder, path).split('/').length - 1)
  return `import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url), bundleUrl = (path) => new URL('${up}' + path, import.meta.url).href; `
}

/** One character above U+00FF, which esbuild leaves in expressions and comments, doubles the memory that the whole text takes. */
function ascii(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes modules with the exports of others, whose names esbuild tells without evaluating them. */
async function writeReexports(folder, paths) {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: paths,
    outdir: 'bundle',
    outbase: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  for (const path of paths) {
    const file = join(folder, 'bundle', path)
    const source = relative(dirname(file), join(folder, 'bundle', 'modules.js'))
    const names = metafile.outputs[`bundle/${path}`].exports.join(', ')
    write(file, `import { gatewayModules } from '${source}'\nexport const { ${names} } = await gatewayModules[${JSON.stringify(path)}]()\n`)
  }
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

await bundle(resolve(process.argv[2] ?? 'dist'))
