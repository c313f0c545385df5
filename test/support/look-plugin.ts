import { index } from './loader-texts.js'
import { PluginFolder } from './loader.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat } from '${SDK}'
export const look = capability({
  id: 'look', path: '/v1/look', title: 'Look', description: 'Inspects a file.', price: flat(1),
  input: Type.Object({ file_url: Type.String({ description: 'Address of a file.' }) }),
  output: Type.Object({ size: Type.Integer(), kind: Type.Union([Type.String(), Type.Null()]), text: Type.String() }),
  examples: [{ title: 'One', params: { file_url: 'https://example.com/a' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { look } from './contract.mjs'
export const run = handle(look, async ({ file_url }, ctx) => {
  const file = await ctx.scratch.fetch(file_url)
  const kind = await ctx.scratch.kind(file)
  let text = ''
  for await (const chunk of ctx.scratch.read(file)) text += Buffer.from(chunk).toString('latin1').slice(0, 100)
  return { size: file.size, kind: kind && kind.contentType + ' ' + kind.extension, text: text.slice(0, 100) }
})
`

/** A plugin folder with the capability `look`: POST /v1/look with a `file_url` answers size, kind and beginning of the file. */
export async function lookPlugin(): Promise<PluginFolder> {
  const folder = await PluginFolder.make()
  await folder.write('look', { 'index.mjs': index('look', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
  return folder
}
