/** Texts of tiny plugins, for tests that write them to a folder. `@sdk` is the address of the sdk, `capstan/sdk` its name for guests. */

/** An index that passes the handshake. */
export const index = (name: string, more = '', sdk = '@sdk'): string => `import { plugin, Type } from '${sdk}'
export const manifest = plugin({ name: '${name}', version: '1.0.0', sdk: 2, title: 'Title', ...{ ${more} } })
`

/** A contract with one capability; `more` overrides its fields. */
export const contract = (more = '', sdk = '@sdk'): string => `import { Type, by, capability, flat, oneOf, or, plus, port } from '${sdk}'
export const thing = capability({
  id: 'thing', path: '/v1/thing', title: 'Thing', description: 'Does a thing.',
  input: Type.Object({ text: Type.String({ description: 'The text.' }), mode: or(Type.Unsafe({ ...oneOf('a', 'b'), description: 'How.' }), 'a') }),
  output: Type.Object({ text: Type.String() }), price: flat(1), examples: [{ title: 'One', params: { text: 'x' } }], ...{ ${more} },
})
`

/** A provider of `thing` by a vendor; `more` are further fields of the vendor. */
export const provider = (vendor: string, more = '', sdk = '@sdk'): string => `import { provider, vendor, Type } from '${sdk}'
import { thing } from '../contract.js'
const maker = vendor({ id: '${vendor}', title: 'Maker', ...{ ${more} } })
export const make = provider(thing, { vendor: maker, run: async ({ text }) => ({ text }) })
`
