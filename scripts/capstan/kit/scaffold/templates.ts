import type { ContractParts } from './form.js'
import { camel, keyVariable, title } from './names.js'

/** Import paths of the gateway, from a file in the plugin's folder and from one in a subfolder. */
interface Imports {
  readonly sdk: (below: 0 | 1) => string
  readonly vendors: string
}

/** Imports of a plugin in the gateway's own tree. */
export const BUNDLED: Imports = { sdk: (below) => `${'../'.repeat(2 + below)}core/sdk/index.js`, vendors: '../../_vendors' }
/** Imports of a plugin anywhere else. */
export const APART: Imports = { sdk: () => 'capstan/sdk', vendors: '../vendors' }

/** The manifest, optionally with settings from a file beside it. */
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

/** Input and output of the capability. Every field of the answer is always present; one without a value is null. */
export const ${camel(name)} = capability({
  id: '${name.replaceAll('-', '_')}',
  path: '/v1/${name}',
  title: '${title(name)}',
  description: 'Describe in one or two sentences what it does and when to use it.',
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

/** The address of ${title(vendor)} and how its requests are signed. */
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
  /** The port's export and its import path. */
  readonly port: { readonly name: string; readonly from: string }
  readonly vendor: { readonly name: string; readonly from: string }
  /** Identifier of the provider. */
  readonly name: string
  readonly path: string
  readonly inputs: readonly string[]
  /** Fields of the output, or null when it is passed unchanged. */
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
 * Write the vendor's request in \`request\`, the least that a valid reply has in \`reply\` (start with the port's own fields), and the
 * conversion in \`map\`, which returns null when the vendor has no result.
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

/** A function from named fields to an object, wrapped only if necessary. */
function arrow(fields: readonly string[], before: string, result: string): string {
  const flat = `({ ${fields.join(', ')} }) => `
  const short = `${before}${flat}({ ${flatten(result)} }),`
  if (short.length <= WIDTH) return `${flat}({ ${flatten(result)} })`
  const head = before.length + flat.length + '({'.length <= WIDTH ? flat : `(${literal(fields, '  ', WIDTH)}) => `
  return `${head}(${result})`
}

/** An object literal: on one line after `after` characters if it fits, else one field per line. */
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

/** A tsconfig.json with which editors and tsc find the gateway's types from a plugin outside its tree. */
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
