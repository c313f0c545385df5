import { index } from './loader-texts.js'
import { PluginFolder } from './loader.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat, oneOf, or } from '${SDK}'
export const make = capability({
  id: 'answers.make', path: '/v1/answers/make', title: 'Make an answer', description: 'Answers in the requested form.', price: flat(1),
  input: Type.Object({
    form: Type.Unsafe({ ...oneOf('picture', 'sound', 'subtitles', 'document', 'hostile', 'files', 'page', 'table'), description: 'The form.' }),
    url: or(Type.String({ description: 'What it is about.' }), ''),
    prompt: or(Type.String({ description: 'What it is about, in words.' }), ''),
  }),
  output: Type.Object({}, { additionalProperties: true }),
  examples: [{ title: 'One', params: { form: 'table' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { make } from './contract.mjs'
const BYTES = Buffer.from('PNG'.repeat(1_000))
const base64 = BYTES.toString('base64')
const row = (name, note) => ({ name, url: 'https://example.com/' + name, note, empty: null })
const forms = {
  picture: ({ title }) => ({ image_base64: base64, format: 'jpeg', width: 3, height: null, title }),
  sound: () => ({ audio_base64: base64, content_type: 'audio/x-wav' }),
  subtitles: () => ({ subtitle_content: '1\\n00:00:00,000 --> 00:00:01,000\\nHello\\n', format: 'srt' }),
  document: async ({ ctx }) => ({ file_url: (await ctx.files.put(BYTES, { name: 'Letter.pdf', contentType: 'application/pdf' })).url, file_name: 'Letter.pdf' }),
  hostile: () => ({ image_base64: base64, file_name: '../../.bash\\u001b[2Jrc.sh' }),
  files: async ({ ctx }) => ({
    stdout: 'made\\u001b[2J two',
    output_files: [
      { name: 'a.csv', content_base64: Buffer.from('1,2').toString('base64'), url: (await ctx.files.put(Buffer.from('1,2'), { name: 'a.csv', contentType: 'text/csv' })).url },
      { name: 'b.csv', content_base64: null, url: (await ctx.files.put(Buffer.from('3,4'), { name: 'b.csv', contentType: 'text/csv' })).url },
    ],
  }),
  page: async ({ url, ctx }) => ({ url, content: '# A page', description: null, screenshot_url: (await ctx.files.put(BYTES, { name: 'page.png', contentType: 'image/png' })).url }),
  table: () => ({ query: 'x', results: [row('first', 'A note of several words that is longer than a narrow terminal is wide.'), row('世界', 'Short.')], next: null }),
}
export const run = handle(make, async ({ form, url }, ctx) => {
  ctx.progress('making', form, 1, 2)
  return await forms[form]({ url, ctx, title: url.endsWith('titled') ? 'A Title: of  Things!' : null })
})
`

/** A plugin folder with the capability `answers.make`: answers of the forms that capabilities have, by its parameter `form`. */
export async function answersPlugin(): Promise<PluginFolder> {
  const folder = await PluginFolder.make()
  await folder.write('answers', { 'index.mjs': index('answers', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
  return folder
}
