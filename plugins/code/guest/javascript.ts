/** File name of the text below, beside the program. */
export const JAVASCRIPT_RUNNER = '_run.cjs'

/**
 * Loaded before `main.js`, then deleted. Node treats a program with `import`, `export` or top-level `await` as a
 * module, without `require`, `module`, `exports`, `__filename` and `__dirname`; with these as globals every mix of
 * both runs. A CommonJS program has its own, which take precedence. Source:
 * https://nodejs.org/api/esm.html#differences-between-es-modules-and-commonjs.
 */
export const DEFINE_COMMONJS = `
const path = require('node:path').resolve('main.js')
const made = require('node:module').createRequire(path)
const program = { exports: {}, filename: path, id: '.', loaded: false, children: [], paths: [], require: made }
made.main = program
const names = { require: made, module: program, exports: program.exports, __filename: path, __dirname: require('node:path').dirname(path) }
for (const [name, value] of Object.entries(names))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
require('node:fs').unlinkSync(__filename)
`
