import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { PLUGIN_PAGES, source } from '../support/pages.js'

const readme = source('README.md')

describe('the README', () => {
  it('has at most 150 lines of 120 characters', () => {
    const lines = readme.trimEnd().split('\n')
    expect(lines.length).to.be.at.most(150)
    expect(lines.filter((line) => [...line].length > 120)).to.deep.equal([])
  })

  it('and CONTRIBUTING: every script of package.json is on one of them', () => {
    const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    const named = [...(readme + source('CONTRIBUTING.md')).matchAll(/(?:npm (?:run )?|npx )([a-z:]+)/g)].map(([, name]) => name)
    expect(Object.keys(scripts).filter((name) => !named.includes(name))).to.deep.equal([])
  })

  it('has the same setup for MCP clients as docs/mcp.md', () => {
    const blocks = (page: string): unknown[] =>
      [...page.matchAll(/^```json\n(.*?)^```$/gms)]
        .map(([, text = '']) => JSON.parse(text) as unknown)
        .filter((value) => /"(?:mcpServers|servers)"/.test(JSON.stringify(value)))
    expect(blocks(readme)).to.have.length(2)
    expect(blocks(readme)).to.deep.equal(blocks(source('docs/mcp.md')))
  })
})

describe('the index of the documentation', () => {
  it('names every page below docs but those of capabilities, in at most 30 lines', () => {
    const index = source('docs/README.md')
    const links = [...index.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link)
    expect(index.trimEnd().split('\n').length).to.be.at.most(30)
    const pages = [
      'api.md',
      'architecture.md',
      'benchmarks.md',
      'command-line.md',
      'configuration.md',
      'errors.md',
      'mcp.md',
      'operate.md',
      'plugins.md',
    ]
    expect(pages.filter((page) => !links.includes(page))).to.deep.equal([])
    expect(PLUGIN_PAGES.map((path) => path.replace('docs/', '')).filter((page) => !links.includes(page))).to.deep.equal([])
  })
})
