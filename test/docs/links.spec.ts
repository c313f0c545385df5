import { expect } from 'chai'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { pages, source } from '../support/pages.js'

const root = packageRoot()
const scripts = Object.keys((JSON.parse(source('package.json')) as { scripts: Record<string, string> }).scripts)
const FOLDERS = ['clients', 'config', 'core', 'deploy', 'docs', 'plugins', 'scripts', 'test']
const known = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
)

/** Anchors of the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

/** The link that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** Names in code that are not files of this project: addresses within it, files of callers, media types. */
const NOT_FILES =
  /^(?:capstan\/|application\/|text\/|image\/|video\/|audio\/|in\/|https?:|\/|\.\/data)|[A-Z]{3}|^(?:main|_run)\.|^capstan\.yml$|^settings\.yml$|^Europe\/|^\.\w+$|^claude_desktop_config|^keys\.list\/|^\.build\/|^\.(?:cursor|vscode)\//

describe('what pages name is there', () => {
  const all = pages({ decisions: true }).map((path) => ({ path, folder: dirname(path), text: source(path) }))

  it('links lead somewhere', () => {
    const wrong = all.flatMap(({ path, folder, text }) => {
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)]
        .map(([, link = '']) => link.replaceAll('\n', ' '))
        .filter((link) => !/^https?:/.test(link))
      return links
        .filter((link) => {
          const [file = '', anchor] = link.split('#')
          const target = file === '' ? path : normalize(join(folder, file))
          return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(source(target)).includes(anchor))
        })
        .map((link) => `${path}: ${link}`)
    })
    expect(wrong).to.deep.equal([])
  })

  it('files and folders', () => {
    const wrong = all.flatMap(({ path, folder, text }) => {
      const named = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@*-]+)*\/?)`/g)].map(([, name = '']) => name.replace(/\/$/, ''))
      return named
        .filter((name) => /\.(?:ts|cts|mjs|js|json|md|txt|yml|service|example)$/.test(name) || name.includes('/'))
        .filter((name) => !NOT_FILES.test(name) && !name.includes('*'))
        .filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, folder, name)))
        .filter((name) => !known.some((file) => file.endsWith(`/${name.replace(/\.js$/, '.ts')}`)))
        .map((name) => `${path}: ${name}`)
    })
    expect(wrong).to.deep.equal([])
  })

  it('scripts of npm, of Node and of the long tests', () => {
    const long = source('scripts/test-long.mjs') + source('scripts/long-suites.mjs')
    const wrong = all.flatMap(({ path, text }) => [
      ...[...text.matchAll(/npm run (?:-s )?([a-z:]+)/g)]
        .filter(([, name = '']) => !scripts.includes(name))
        .map(([whole]) => `${path}: ${whole}`),
      ...[...text.matchAll(/node (dist\/)?((?:scripts|core)\/[\w/.-]+)\.m?js/g)]
        .filter(([, built, name = '']) => !existsSync(join(root, built === undefined ? `${name}.mjs` : `${name}.ts`)))
        .map(([whole]) => `${path}: ${whole}`),
      ...[...text.matchAll(/test:long -- ([a-z-]+)/g)]
        .filter(([, name = '']) => !long.includes(`${name}: {`) && !long.includes(`'${name}': {`))
        .map(([whole]) => `${path}: ${whole}`),
    ])
    expect(wrong).to.deep.equal([])
  })

  it('options of scripts', () => {
    const wrong = all.flatMap(({ path, text }) =>
      [...text.matchAll(/node dist\/scripts\/([\w-]+)\.js((?: --?[\w-]+(?: [\w./:]+)?)*)/g)].flatMap(([, name = '', options = '']) => {
        const code = source(`scripts/${name}.ts`)
        return [...options.matchAll(/--([\w-]+)/g)]
          .filter(([, option = '']) => !new RegExp(`['"\\s]${option}['"]?: \\{`).test(code))
          .map(([option]) => `${path}: ${name} ${option}`)
      }),
    )
    expect(wrong).to.deep.equal([])
  })
})
