import type { ContractParts } from './form.js'
import { camel, keyVariable, title } from './names.js'

/** Where the files of a skeleton find the gateway, from a file in the plugin's folder and from one a folder below. */
interface Imports {
  readonly sdk: (below: 0 | 1) => string
  readonly vendors: string
}

/** Imports of a plugin in the gateway's own tree. */
export const BUNDLED: Imports = { sdk: (below) => `${'../'.repeat(2 + below)}core/sdk/index.js`, vendors: '../../_vendors' }
/** Imports of a plugin anywhere else. */
export const APART: Imports = { sdk: () => 'capstan/sdk', vendors: '../vendors' }

/** The manifest; with settings, which are then in a file beside it. */
export function indexFile(name: string, sdk: string, { settings = false } = {}): string {
  const [imported, named] = settings ? ["import { settings } from './settings.js'\n", ', settings'] : ['', '']
  return `import { plugin } from '${sdk}'
${imported}
export const manifest = plugin({ name: '${name}', version: '0.1.0', sdk: 2, title: '${title(name)}'${named} })
`
}

export function contractFile(name: string, sdk: string, { imports, input, output, timeoutMs, example }: ContractParts): string {
  const fields = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join('')
  return `import { ${imports} } from '${sdk}'

/** What callers ask and what they get. Every field of the answer is always there; one without a value is null. */
export const ${camel(name)} = capability({
  id: '${name.replaceAll('-', '_')}',
  path: '/v1/${name}',
  title: '${title(name)}',
  description: 'Say in one or two sentences what it does and when to use it.',
  input: Type.Object({
${fields(input)}  }),
  output: Type.Object({
${fields(output)}  }),
  price: flat(1),
  timeoutMs: ${timeoutMs},
  work: 'light',
  examples: [${example}],
})
`
}

export function vendorFile(vendor: string, sdk: string): string {
  return `import { vendor } from '${sdk}'

/** Where ${title(vendor)} is and how requests to it are signed. */
export const ${camel(vendor)} = vendor({
  id: '${vendor}',
  title: '${title(vendor)}',
  baseUrl: 'https://api.${vendor}.example',
  secrets: { api_key: '${keyVariable(vendor)}' },
  auth: (secret) => ({ headers: { authorization: \`Bearer \${secret('api_key')}\` } }),
})
`
}

interface ProviderTemplate {
  readonly sdk: string
  /** The port's export and where it comes from. */
  readonly port: { readonly name: string; readonly from: string }
  readonly vendor: { readonly name: string; readonly from: string }
  /** Identifier of the provider. */
  readonly name: string
  readonly path: string
  readonly inputs: readonly string[]
  /** Fields of the output, or null when it is taken as it is. */
  readonly outputs: readonly string[] | null
}

export function providerFile({ sdk, port, vendor, name, path, inputs, outputs }: ProviderTemplate): string {
  const imports = port.from === sdk ? [`import { ${port.name}, httpProvider } from '${sdk}'`] : [`import { httpProvider } from '${sdk}'`]
  const alias = vendor.name === port.name ? `${vendor.name} as vendor` : vendor.name
  imports.push(`import { ${alias} } from '${vendor.from}'`)
  if (port.from !== sdk) imports.push(`import { ${port.name} } from '${port.from}'`)
  const map = outputs === null ? '(reply) => reply' : arrow(outputs, '  map: ', literal(outputs, '  '))
  const request = literal(["method: 'POST'", `path: '${path}'`, `json: ${literal(inputs, '    ', '    json: '.length)}`], '  ')
  return `${imports.sort(byPath).join('\n')}

/**
 * Put the vendor's request in \`request\`, the least a good reply has in \`reply\` (begin with the port's own fields), and the way
 * from one to the other in \`map\`, which answers null when the vendor has nothing.
 */
export const ${name} = httpProvider(${port.name}, {
  vendor${alias === vendor.name ? `: ${vendor.name}` : ''},
  request: ${arrow(inputs, '  request: ', request)},
  reply: ${port.name}.output,
  map: ${map},
})
`
}

const WIDTH = 140

/** A function from named fields to an object, broken over lines only where it must be. */
function arrow(fields: readonly string[], before: string, result: string): string {
  const flat = `({ ${fields.join(', ')} }) => `
  const short = `${before}${flat}({ ${flatten(result)} }),`
  if (short.length <= WIDTH) return `${flat}({ ${flatten(result)} })`
  const head = before.length + flat.length + '({'.length <= WIDTH ? flat : `(${literal(fields, '  ', WIDTH)}) => `
  return `${head}(${result})`
}

/** An object literal: on one line after a number of characters when that fits, else a field a line. */
function literal(fields: readonly string[], indent: string, after = WIDTH): string {
  const flat = `{ ${fields.join(', ')} }`
  if (after + flat.length + 1 <= WIDTH) return flat
  return `{\n${fields.map((field) => `${indent}  ${field},\n`).join('')}${indent}}`
}

function flatten(object: string): string {
  return object.replace(/^\{\s*|,?\s*\}$/g, '').replace(/,\s*\n\s*/g, ', ')
}

function byPath(a: string, b: string): number {
  const depth = (line: string): number =>
    /from '\.\.\/\.\.\/\.\./.test(line) ? 0 : /from '\.\.\/\.\./.test(line) ? 1 : /from '\./.test(line) ? 2 : 0
  return depth(a) - depth(b)
}

/** Lets an editor and tsc find the gateway's types from a plugin outside its tree. */
export function tsconfigFile(root: string): string {
  const config = {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023', 'dom'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
      paths: {
        'capstan/sdk': [`${root}/core/sdk/index.ts`],
        'capstan/sdk/testkit': [`${root}/core/sdk/testkit/index.ts`],
        'capstan/contracts/*': [`${root}/plugins/*/contract.ts`],
      },
    },
    include: ['**/*.ts'],
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
