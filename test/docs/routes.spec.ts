import { expect } from 'chai'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { pages, PLUGIN_PAGES, source } from '../support/pages.js'

/** What is not in the description of the public listener: of the admin listener, or below another route. */
const OTHERS = ['/metrics', '/healthz', '/readyz', '/console', '/errors/{slug}', '/files/{id}/{name}']

describe('routes that pages name', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway({ bundled: true })))
  after(() => gateway?.close())

  it('are there', async () => {
    const { paths } = (await gateway.get('/v1/openapi.json')).json<{ paths: Record<string, unknown> }>()
    const known = [...Object.keys(paths), ...OTHERS].map(
      (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    )
    // The examples of the pages on plugins are capabilities of their own.
    const named = pages()
      .filter((path) => !PLUGIN_PAGES.some((page) => page === path))
      .flatMap((path) =>
        [
          ...source(path).matchAll(
            /(?<=[` (]|:8420|CAPSTAN_URL|\d)\/(?:admin\/)?v1\/[\w./{}-]*[\w}]|`\/(?:metrics|healthz|readyz|console)\b/g,
          ),
        ].map(([name]) => `${path} ${name.replace('`', '')}`),
      )
    expect(named.length).to.be.above(120)
    expect(named.filter((line) => !known.some((route) => route.test(line.split(' ')[1] ?? '')))).to.deep.equal([])
  })
})
