import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Parser } from 'htmlparser2'

/** Packages with documentation of Debian in English as pages of HTML. */
const PACKAGES = [
  'debian-reference-en',
  'debian-faq',
  'developers-reference',
  'debian-policy',
  'debmake-doc',
  'debian-handbook',
  'installation-guide-amd64',
  'harden-doc',
  'aptitude-doc-en',
  'apt-doc',
  'exim4-doc-html',
  'debconf-doc',
  'dpkg-dev',
] as const
/** Pages of other languages carry it in their name or their folder. */
const OTHER_LANGUAGE =
  /(?:\.|\/)(?!en\b)(?:ar|bg|ca|cs|da|de|el|eo|es|eu|fa|fi|fr|gl|hr|hu|id|it|ja|ko|lt|nb|nl|nn|pl|pt|pt-br|pt_BR|pt-pt|ro|ru|sk|sv|th|tr|uk|vi|zh|zh-cn|zh-tw|zh_CN|zh_TW|[a-z]{2}-[A-Z]{2}(?<!en-US))(?:\.html?$|\/)/
const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const BLOCKS = new Set('p li dd dt tr h1 h2 h3 h4 h5 h6 pre div table section br title td th'.split(' '))
/** A page with less text is a list of links or a frame. */
const SHORTEST = 300

export interface Page {
  /** Package that it comes from, the first label of its host. */
  readonly package: string
  /** Path on its host, beginning with a slash. */
  readonly path: string
  readonly html: string
  readonly title: string
  /** Its text with single blanks. */
  readonly text: string
}

/** The pages of the packages, which are downloaded into a folder once. Throws when fewer than `least` are there. */
export function corpusIn(folder: string, { least, say }: { readonly least: number; readonly say: (line: string) => void }): Page[] {
  mkdirSync(folder, { recursive: true })
  const pages = PACKAGES.flatMap((name) => pagesOf(name, packageIn(folder, name, say)))
  const texts = new Set<string>()
  const different = pages.filter(({ text }) => !texts.has(text) && texts.add(text).size > 0)
  if (different.length < least)
    throw new Error(`The corpus has ${String(different.length)} pages, fewer than ${String(least)}: delete ${folder} and try again.`)
  return different
}

/** The folder of an unpacked package; null for one that this release of Debian does not have. */
function packageIn(folder: string, name: string, say: (line: string) => void): string | null {
  const target = join(folder, name)
  if (existsSync(target)) return target
  say(`Downloading ${name} …`)
  const work = join(folder, `.${name}`)
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work)
  const got = spawnSync('apt-get', ['download', name], { cwd: work, encoding: 'utf8' })
  const [archive] = readdirSync(work).filter((file) => file.endsWith('.deb'))
  if (got.status !== 0 || archive === undefined) {
    say(`  left out: ${(got.stderr || String(got.error ?? '')).trim().split('\n').at(-1) ?? ''}`)
    rmSync(work, { recursive: true, force: true })
    return null
  }
  const unpacked = spawnSync('dpkg', ['-x', archive, 'root'], { cwd: work, encoding: 'utf8' })
  if (unpacked.status !== 0) throw new Error(`dpkg could not unpack ${archive}: ${unpacked.stderr}`)
  renameSync(join(work, 'root'), target)
  rmSync(work, { recursive: true, force: true })
  return target
}

function pagesOf(name: string, folder: string | null): Page[] {
  if (folder === null) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .filter((file) => !OTHER_LANGUAGE.test(relative(folder, file)))
    .map((file) => {
      const html = readFileSync(file, 'utf8')
      const { title, text } = textOf(html)
      return { package: name, path: `/${relative(folder, file).replace(/^usr\/share\/(?:doc\/)?/, '')}`, html, title, text }
    })
    .filter(({ text }) => text.length >= SHORTEST)
}

/** Title and text of a page. */
export function textOf(html: string): { readonly title: string; readonly text: string } {
  const parts: string[] = []
  let title = ''
  let skipped = 0
  let inTitle = false
  const parser = new Parser({
    onopentag: (name) => {
      if (SKIPPED.has(name)) skipped++
      if (name === 'title') inTitle = true
      if (BLOCKS.has(name)) parts.push(' ')
    },
    ontext: (text) => {
      if (inTitle) title += text
      else if (skipped === 0) parts.push(text)
    },
    onclosetag: (name) => {
      if (SKIPPED.has(name)) skipped--
      if (name === 'title') inTitle = false
      if (BLOCKS.has(name)) parts.push(' ')
    },
  })
  parser.end(html)
  return { title: title.replace(/\s+/g, ' ').trim(), text: parts.join('').replace(/\s+/g, ' ').trim() }
}
