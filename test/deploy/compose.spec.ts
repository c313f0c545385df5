import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { complaints, imageFault, seconds, textOf, unknownVariables, yamlOf, type Tree } from './files.js'

/** `${NAME}`, `${NAME:-default}`, `${NAME:?message}`. */
const REFERENCE = /(?<!\$)\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g

describe('compose.yml', () => {
  const file = yamlOf('compose.yml')
  const services = new Map(file.at('services').entries)
  const gateways = [...services].filter(([, service]) => service.at('image').text.startsWith('capstan:'))
  const service = (name: string): Tree => services.get(name) ?? file.at('services', name)
  const networksOf = (each: Tree): string[] => each.at('networks').items.map(({ text }) => text)
  const references = [...textOf('compose.yml').matchAll(REFERENCE)]

  it('runs at least two gateways that differ in nothing', () => {
    expect(gateways.length).to.be.at.least(2)
    for (const [, each] of gateways) expect(each.value).to.deep.equal(gateways[0]?.[1].value)
  })

  for (const [name, each] of services)
    it(`${name}: a pinned image, limits, a rotated log, no privileges, and a way to see its health`, () => {
      expect(imageFault(each.at('image').text)).to.equal(null)
      expect(each.at('deploy', 'resources', 'limits').texts).to.have.all.keys(
        ...(name.startsWith('gateway') ? ['cpus', 'memory', 'pids'] : ['cpus', 'memory']),
      )
      expect(each.at('logging', 'options').texts).to.have.all.keys('max-size', 'max-file')
      expect(each.at('restart').text).to.be.oneOf(['unless-stopped', 'on-failure'])
      for (const never of ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'userns_mode'])
        expect(each.at(never).value, never).to.equal(undefined)
      const once = each.at('restart').text === 'on-failure'
      if (!name.startsWith('gateway') && !once) expect(each.at('healthcheck', 'test').items.length).to.be.above(1)
      for (const { text } of each.at('volumes').items) {
        const [from = ''] = text.split(':')
        expect(text).not.to.contain('docker.sock')
        if (from.startsWith('./')) expect(existsSync(join(packageRoot(), from)), from).to.equal(true)
        else expect(file.at('volumes').texts).to.have.property(from)
      }
    })

  it('gateways hold no root, no capabilities, no writable image, and end their calls before they are killed', () => {
    for (const [, each] of gateways) {
      expect(each.at('user').value, 'the one of the image').to.equal(undefined)
      expect(each.at('read_only').value).to.equal(true)
      expect(each.at('cap_drop').value).to.deep.equal(['ALL'])
      expect(each.at('cap_add').value).to.equal(undefined)
      expect(each.at('security_opt').value).to.deep.equal(['no-new-privileges:true'])
      expect(seconds(each.at('stop_grace_period').text)).to.be.above(seconds(each.at('environment', 'CAPSTAN_LIMIT_GRACE').text))
    }
  })

  it('everything starts after what it needs is healthy', () => {
    for (const [name, each] of services)
      for (const [needed, { value }] of each.at('depends_on').entries.map(([n, tree]) => [n, tree.at('condition')] as const)) {
        const once = service(needed).at('restart').text === 'on-failure'
        expect(value, `${name} -> ${needed}`).to.equal(once ? 'service_completed_successfully' : 'service_healthy')
      }
    for (const [, each] of gateways) expect(Object.keys(each.at('depends_on').texts)).to.include.members(['mongo', 'redis', 'bucket'])
    expect(Object.keys(service('proxy').at('depends_on').texts)).to.deep.equal(gateways.map(([name]) => name))
  })

  it('publishes the proxy alone, on loopback by default', () => {
    for (const [name, each] of services) expect(each.at('ports').items.length, name).to.equal(name === 'proxy' ? 1 : 0)
    expect(service('proxy').at('ports', 0).text).to.equal('${LISTEN:-127.0.0.1:8420}:8420')
  })

  it('keeps stores where nothing reaches the internet, and trusts the network of the proxy, where it meets the gateways alone', () => {
    for (const name of ['mongo', 'redis', 'files', 'bucket']) expect(networksOf(service(name)), name).to.deep.equal(['inner'])
    expect(file.at('networks', 'inner', 'internal').value).to.equal(true)
    const shared = networksOf(service('proxy')).filter((network) => networksOf(service('gateway-1')).includes(network))
    expect(shared).to.deep.equal(['edge'])
    const there = [...services].filter(([, each]) => networksOf(each).includes('edge')).map(([name]) => name)
    expect(there).to.have.members(['proxy', ...gateways.map(([name]) => name)])
    expect(service('gateway-1').at('environment', 'CAPSTAN_TRUSTED_PROXIES').text).to.equal(
      file.at('networks', 'edge', 'ipam', 'config', 0, 'subnet').text,
    )
  })

  it('T-08 no secret has a default or is in the file, and the example names every one, empty', () => {
    const example = new Map(
      [...textOf('deploy/compose.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    expect(references.length).to.be.above(8)
    for (const [, name = '', operator] of references) {
      const secret = /PASSWORD|SECRET|KEY|TOKEN/.test(name)
      expect(operator, name).to.equal(secret ? '?' : '-')
      expect(example.has(name), name).to.equal(true)
      if (secret) expect(example.get(name), name).to.equal('')
    }
    expect([...example.keys()].sort()).to.deep.equal([...new Set(references.map(([, name = '']) => name))].sort())
  })

  it('names variables that settings have, and gives them values the gateway takes', () => {
    for (const path of ['compose.yml', 'deploy/compose.sandbox.yml', 'deploy/compose.env.example', 'deploy/README.md', 'deploy/Caddyfile'])
      expect(unknownVariables(textOf(path)), path).to.deep.equal([])
    const env = Object.fromEntries(
      Object.entries(service('gateway-1').at('environment').texts).map(([name, value]) => [
        name,
        value.replace(REFERENCE, (_whole, _name, operator: string | undefined, rest: string | undefined) =>
          operator === '-' ? (rest ?? '') : 'a1b2c3d4e5f6a1b2c3d4',
        ),
      ]),
    )
    expect(complaints(env)).to.deep.equal([])
    for (const name of ['CAPSTAN_STORE', 'CAPSTAN_REDIS', 'CAPSTAN_ARTIFACTS', 'CAPSTAN_ADMIN_TOKEN', 'CAPSTAN_PUBLIC_URL'])
      expect(env).to.have.property(name)
    for (const [variable, name] of [
      ['CAPSTAN_STORE', 'mongo'],
      ['CAPSTAN_REDIS', 'redis'],
      ['CAPSTAN_ARTIFACTS', 'files'],
    ] as const)
      expect(env[variable]).to.match(new RegExp(`(?:@|//)${name}:\\d+`))
  })

  it('the proxy sends to every gateway at its port, checks whether it is ready and repeats no request that was sent', () => {
    const caddy = textOf('deploy/Caddyfile')
    const [, upstreams = ''] = /reverse_proxy (.+) \{/.exec(caddy) ?? []
    expect(upstreams.split(' ')).to.deep.equal(gateways.map(([name]) => `${name}:8420`))
    expect(caddy).to.contain('health_uri /readyz').and.not.contain('lb_retry_match')
  })

  it("compose.sandbox.yml loosens the gateways' filters and nothing else", () => {
    for (const [name, each] of yamlOf('deploy/compose.sandbox.yml').at('services').entries) {
      expect(gateways.map(([gateway]) => gateway)).to.include(name)
      expect(Object.keys(each.texts)).to.deep.equal(['security_opt'])
      expect(each.at('security_opt', 0).text).to.equal('no-new-privileges:true')
    }
  })
})
