import { expect } from 'chai'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { settingVariable, urlVariable } from '../../core/config/variables.js'
import type { Registry } from '../../core/loader/types.js'
import { packageRoot } from '../../core/runtime/root.js'
import { programsOf, type TObject, type Vendor } from '../../core/sdk/index.js'
import { load } from '../support/loader.js'
import { worksAlone } from '../../scripts/docs/capability-page.js'
import { pages, PLUGIN_PAGES, prose, rowsOf, source } from '../support/pages.js'

const readme = source('README.md')
/** Vendors of language models, which pages name together. */
const MODELS: readonly string[] = ['openai-compatible', 'anthropic', 'gemini']

describe('pages name what the plugins have', () => {
  let registry: Registry
  /** Vendors by the plugin that calls them. */
  const byPlugin = new Map<string, Map<string, Vendor>>()
  before(async () => {
    const firstParty = fileURLToPath(new URL('../../plugins', import.meta.url))
    registry = await load({ firstParty, sourceFolder: join(packageRoot(), 'plugins') })
    for (const { all } of registry.ports.values())
      for (const { plugin, vendor } of all) byPlugin.set(plugin, (byPlugin.get(plugin) ?? new Map<string, Vendor>()).set(vendor.id, vendor))
  })

  it('README: each capability has a row with its title and a page that is there', () => {
    const rows = rowsOf(readme, 'capability').map(
      (row) => [/\[([\w.]+)\]\(([^)]+)\)/.exec(row['capability'] ?? ''), row['what it does']] as const,
    )
    expect(rows.map(([link, title]) => [link?.[1], link?.[2], title])).to.deep.equal(
      [...registry.capabilities.values()]
        .map(({ capability: { id, title } }) => [id, `docs/capabilities/${id}.md`, title])
        .sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    )
    for (const [link] of rows) expect(existsSync(join(packageRoot(), link?.[2] ?? '?')), link?.[2]).to.equal(true)
  })

  it('README: names the capabilities without a provider that needs no account', () => {
    const [, said = ''] =
      /a provider that needs no account, except (.*?)\./.exec(
        prose('README.md')
          .replaceAll('`', '')
          .replaceAll(/(\w)\.(\w)/g, '$1·$2'),
      ) ?? []
    const lacking = [...registry.capabilities.values()]
      .filter((loaded) => !worksAlone(loaded, registry))
      .map(({ capability }) => capability.id)
    expect(said.replaceAll('·', '.').split(' and ').sort()).to.deep.equal(lacking.sort())
  })

  it('the page of a capability has a row for each provider of its own ports, with what it needs', () => {
    for (const { capability } of registry.capabilities.values()) {
      const rows = rowsOf(source(`docs/capabilities/${capability.id}.md`), 'provider')
      const group = `${capability.id.split('.')[0] ?? ''}.`
      const alone = [...registry.capabilities.keys()].filter((other) => other.startsWith(group)).length < 2
      const used = new Set(rows.map(({ port = '' }) => port.replaceAll('`', '')))
      const own = [...registry.ports.values()].filter(
        ({ port }) => port.id === capability.id || (alone && port.id.startsWith(group) && used.has(port.id)),
      )
      for (const { port, all } of own)
        for (const { vendor, kind } of all) {
          const row = rows.find((each) => each['port'] === `\`${port.id}\`` && each['id'] === `\`${vendor.id}\``)
          expect(row?.['provider'], `${port.id}: ${vendor.id}`).to.equal(vendor.title)
          const variables = [...Object.values(vendor.secrets ?? {}), ...(vendor.needsUrl === true ? [urlVariable(vendor.id)] : [])]
          for (const word of [...variables, ...Object.keys(vendor.programs ?? {})])
            expect(row?.['needs'], vendor.id).to.contain(`\`${word}\``)
          if (kind === 'keyed') expect(row?.['needs'], vendor.id).not.to.equal('nothing')
        }
    }
  })

  it('configuration: the class of work of each capability', () => {
    const classes = rowsOf(source('docs/configuration.md'), 'class')
      .filter((row) => row['class'] !== 'light')
      .map((row) => [row['class'], (row['capabilities'] ?? '').replaceAll('`', '').split(', ').sort()])
    const heavy = ['browser', 'code', 'media'].map((work) => [
      work,
      [...registry.capabilities.values()].flatMap(({ capability }) => (capability.work === work ? [capability.id] : [])).sort(),
    ])
    expect(classes).to.deep.equal(heavy)
  })

  it('prices on the pages of plugins are those of the contracts', () => {
    for (const { capability, prices, plugin } of registry.capabilities.values()) {
      const page = `plugins/${plugin}/README.md`
      const rows = rowsOf(source(page), 'credits').map(({ mode = '', credits = '' }) => [mode.replaceAll('`', ''), Number(credits)])
      if (rows.length > 0) expect(Object.fromEntries(rows), capability.id).to.deep.equal(prices)
      else if (/\d credits?\b/.test(prose(page))) expect(prose(page), capability.id).to.contain(`${prices['call'] ?? '?'} credit`)
    }
  })

  it('the page of a plugin has a row for each of its vendors, and no row for another', () => {
    for (const [plugin, vendors] of byPlugin) {
      const rows = rowsOf(source(`plugins/${plugin}/README.md`), 'vendor').flatMap(({ vendor = '' }) => vendor.split(', '))
      if (plugin !== 'wikidata') expect([...new Set(rows)].sort(), plugin).to.deep.equal([...vendors.keys()].sort())
    }
  })

  it('the page of a plugin names what each of its vendors needs: variables of keys and addresses, Debian packages', () => {
    const missing: string[] = []
    for (const [plugin, vendors] of byPlugin) {
      const page = source(`plugins/${plugin}/README.md`)
      for (const vendor of vendors.values()) {
        if (MODELS.includes(vendor.id) && plugin !== 'llm' && page.includes('`llm`')) continue
        const words = [
          ...Object.values({ ...vendor.secrets, ...vendor.optionalSecrets }),
          ...(vendor.needsUrl === true ? [urlVariable(vendor.id)] : []),
          ...Object.values(vendor.extras ?? {}).flatMap(({ packages }) => packages.split(' ')),
          ...Object.values(programsOf(vendor)).flatMap((packages) => (/^[a-z0-9.+ -]+$/.test(packages) ? packages.split(' ') : [])),
        ]
        missing.push(...words.filter((word) => !page.includes(word)).map((word) => `${plugin}: ${vendor.id}: ${word}`))
      }
    }
    expect(missing).to.deep.equal([])
  })

  it('settings of plugins are on their pages with their defaults', () => {
    const missing: string[] = []
    for (const { name, settings } of registry.contributions.values())
      missing.push(...undocumented(name, settings, source(`plugins/${name}/README.md`)))
    expect(missing).to.deep.equal([])
  })

  it('settings of vendors are, with their defaults, on the page of a plugin that calls them', () => {
    const vendors = new Map([...byPlugin.values()].flatMap((all) => [...all]))
    const missing = [...vendors].flatMap(([id, vendor]) => {
      const readmes = [...byPlugin].filter(([, all]) => all.has(id)).map(([plugin]) => source(`plugins/${plugin}/README.md`))
      const least = readmes.map((page) => undocumented(id, vendor.settings, page)).sort((one, other) => one.length - other.length)
      return least[0] ?? []
    })
    expect(missing).to.deep.equal([])
  })

  it('each variable that a page names is one that something reads', () => {
    const known = new Set(
      [...registry.vendors.values()].flatMap((vendor) => [
        urlVariable(vendor.id),
        ...Object.values({ ...vendor.secrets, ...vendor.optionalSecrets }),
        ...Object.keys(vendor.settings?.properties ?? {}).map((name) => settingVariable(vendor.id, name)),
        ...Object.keys(programsOf(vendor)).map((name) => `CAPSTAN_PROGRAM_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`),
      ]),
    )
    for (const { name, settings } of registry.contributions.values())
      for (const setting of Object.keys(settings?.properties ?? {})) known.add(settingVariable(name, setting))
    for (const port of registry.ports.keys()) known.add(`CAPSTAN_WATERFALL_${port.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`)
    for (const place of ['config/default.ts', 'core/config/variables.ts']) for (const name of variablesIn(source(place))) known.add(name)
    for (const folder of ['test', 'scripts', 'clients'])
      for (const file of readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' }))
        if (/\.(?:ts|mjs|py)$/.test(file) && !file.startsWith('docs'))
          for (const name of variablesIn(source(`${folder}/${file}`))) known.add(name)
    const pluginPages = PLUGIN_PAGES.map(source).join('\n')
    const unknown = pages().flatMap((path) =>
      [...variablesIn(source(path))]
        .filter((name) => !known.has(name) && !pluginPages.includes(`'${name}'`))
        .map((name) => `${path}: ${name}`),
    )
    expect(unknown).to.deep.equal([])
  })

  it('each setting of a plugin or vendor is read somewhere', () => {
    const declared = [...registry.contributions.values(), ...registry.vendors.values()]
    const names = new Set(declared.flatMap(({ settings }) => Object.keys(settings?.properties ?? {})))
    const code = readers()
    expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).to.deep.equal([])
  })
})

/** Settings that a page does not name in code, or not with their default beside them. */
function undocumented(owner: string, settings: TObject | undefined, page: string): string[] {
  return Object.entries(settings?.properties ?? {}).flatMap(([name, schema]) => {
    const forms = [name, `plugins.${owner}.${name}`, settingVariable(owner, name), `CAPSTAN_<VENDOR>_${name.toUpperCase()}`]
    const lines = page.split('\n').filter((line) => forms.some((form) => line.includes(`\`${form}\``)))
    const standard: unknown = 'default' in schema ? schema.default : null
    const shown = lines.some((line) => standardForms(standard).some((form) => line.includes(form)))
    return lines.length > 0 && shown ? [] : [`${owner}.${name}: ${JSON.stringify(standard)}`]
  })
}

function standardForms(value: unknown): readonly string[] {
  if (typeof value === 'number') return [String(value), value.toLocaleString('en-US')]
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.length > 0 ? value.map(String) : ['']
}

function variablesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\bCAPSTAN_[A-Z0-9_]*[A-Z0-9]\b(?![_<…])/g)].map(([name]) => name))
}

/** Sources of plugins without those that declare settings, and without tests. */
function readers(): string {
  const folder = join(packageRoot(), 'plugins')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('_vendors') && !file.endsWith('/settings.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
}
