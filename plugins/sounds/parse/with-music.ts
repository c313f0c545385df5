import { readFileSync } from 'node:fs'
import { renderMusic } from '../music/render.js'
import { rendered, type Rendering } from './render.js'

/** Renders a sound that includes music. */
export default async (files: readonly Uint8Array[], wanted: Rendering) => {
  const soundfont = readFileSync(wanted.soundfont)
  return await rendered(files, wanted, async (order) => await renderMusic(order, soundfont))
}
