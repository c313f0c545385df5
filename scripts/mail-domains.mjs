/**
 * Renews the lists of mail domains in plugins/emails/lists from packages of the npm registry: `node scripts/mail-domains.mjs [FOLDER]`.
 * FOLDER is one in which the packages are installed already; without it they are installed into a temporary one, without their scripts.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'tldts'
import { root } from './prepare.mjs'

/** Both are under the MIT licence, which the script makes sure of. */
const DISPOSABLE = 'mailchecker'
const FREE = 'free-email-domains'
const LICENCE = 'MIT'
/** The list of free services also has thousands of domains that were only misused: one of these older lists must have a domain too. Nothing is copied of them. */
const CONFIRMING = ['email-providers', 'freemail']
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

const lists = join(root, 'plugins', 'emails', 'lists')
const given = process.argv[2]
const folder = given ?? installed()
try {
  const load = createRequire(join(folder, 'package.json'))
  const notDisposable = exceptions('not-disposable.txt')
  const disposable = names(load(DISPOSABLE).blacklist()).filter((name) => !notDisposable.has(name))
  const thrownAway = new Set(disposable)
  // Hosts below a domain are those of people who let anybody name a computer there; only whole domains are wanted.
  const confirmed = new Set(
    names([...load('email-providers/all.json'), ...linesOf(join(folder, 'node_modules', 'freemail', 'data', 'free.txt'))]),
  )
  const notFree = exceptions('not-free.txt')
  const isFree = (name) => confirmed.has(name) && !notFree.has(name) && !thrownAway.has(name) && parse(name).domain === name
  const free = names(load(FREE)).filter(isFree)
  write('disposable.txt', DISPOSABLE, disposable)
  write('free.txt', FREE, free)
  const licences = [DISPOSABLE, FREE].map((name) => `${name}\n\n${withoutAddresses(licenceOf(name)).trim()}\n`)
  writeFileSync(join(lists, 'LICENCES.txt'), licences.join('\n'))
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true })
}

function installed() {
  const made = mkdtempSync(join(tmpdir(), 'mail-domains-'))
  writeFileSync(join(made, 'package.json'), '{"private":true}')
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', DISPOSABLE, FREE, ...CONFIRMING], {
    cwd: made,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('npm could not install the packages')
  return made
}

/** In lower case, each once, in the order of their characters. */
function names(list) {
  return [...new Set([...list].map((name) => String(name).toLowerCase()).filter((name) => DOMAIN.test(name)))].sort()
}

function write(file, name, domains) {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  if (license !== LICENCE) throw new Error(`${name} ${version} is under ${license}, not ${LICENCE}`)
  const copyright =
    /^Copyright.*$|^.*\(c\).*$/im
      .exec(licenceOf(name))?.[0]
      .replace(/ <[^>]*>/, '')
      .trim() ?? ''
  const head = [
    `# From the npm package ${name} ${version}, licence ${license}. ${copyright}`,
    '# Made by scripts/mail-domains.mjs; sorted.',
  ]
  writeFileSync(join(lists, file), `${[...head, ...domains].join('\n')}\n`)
  console.log(`${file}: ${domains.length} domains from ${name} ${version}`)
}

/** Domains of a list of ours, which says behind each what it is. */
function exceptions(file) {
  return new Set(linesOf(join(lists, file)).map((line) => line.split(' ', 1)[0]))
}

/** Lines of a text, without those that are empty or begin with #. */
function linesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function withoutAddresses(text) {
  return text.replace(/ <[^>]*@[^>]*>/g, '')
}

function licenceOf(name) {
  for (const file of ['LICENSE', 'LICENSE.md'])
    try {
      return readFileSync(join(folder, 'node_modules', name, file), 'utf8')
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  return ''
}
