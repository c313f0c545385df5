/** The official conformance suites of MCP, one for each revision, and the Node that they need, in `.tools/mcp-conformance`. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root as project } from './prepare.mjs'
import { buildFolder, openTools, run } from './tool-folder.mjs'

const NAME = 'mcp-conformance'
const FILES = ['package.json', 'package-lock.json']

/** Installs what `scripts/tools/mcp-conformance` locks, unless it is there already. Answers whether it is there then; says what failed. */
export function provideConformance(say, { root = project, npm = 'npm' } = {}) {
  const lists = join(root, 'scripts', 'tools', NAME)
  const wanted = createHash('sha256')
  for (const file of FILES) wanted.update(readFileSync(join(lists, file))).update('\0')
  const stamp = wanted.digest('hex')
  const known = join(root, '.tools', NAME, 'stamp')
  if (existsSync(known) && readFileSync(known, 'utf8') === stamp) return true
  openTools(root)
  say('installing the conformance suites of MCP into .tools (once)')
  return buildFolder(root, NAME, (building) => {
    for (const file of FILES) copyFileSync(join(lists, file), join(building, file))
    if (!run(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel', 'error'], building)) {
      say(`npm could not install scripts/tools/${NAME}: is the package registry reachable? The conformance tests of MCP skip.`)
      return false
    }
    writeFileSync(join(building, 'stamp'), stamp)
    return true
  })
}
