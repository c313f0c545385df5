import { Fault, type RequestContext } from '../../core/sdk/index.js'
import type { CodeInput } from './contract.js'

/** The setting of a vendor that names its image, template or snapshot for an input. */
export function settingOf({ template, language }: CodeInput, otherwise: 'template' | 'snapshot' | 'language'): string {
  if (template === null || template === 'default') return otherwise === 'language' ? language : otherwise
  if (template === 'web-dev') return otherwise === 'language' ? 'javascript' : 'web_dev'
  return template === 'data-science' ? 'data_science' : 'video'
}

/** The image that a vendor starts for an input. Throws Fault `missing` when the operator configured none. */
export function imageFor(
  input: CodeInput,
  otherwise: Parameters<typeof settingOf>[1],
  { settings }: RequestContext<Readonly<Record<string, unknown>>>,
): string {
  const name = settingOf(input, otherwise)
  const image = settings[name]
  if (typeof image !== 'string')
    throw new Fault('missing', `This vendor has nothing set up for ${input.template ?? input.language}.`, {
      internal: `set ${name} of the vendor`,
    })
  return image
}
