import { readFileSync } from 'node:fs'
import { SOUND_FONT } from '../../_vendors/music.js'
import { renderMusic } from '../music/render.js'
import { rendered, type Rendering } from './render.js'

// Read before there is a question: the process is started ahead of it.
const soundfont = readFileSync(SOUND_FONT)

/** Makes a sound of which a part is music. */
export default async (files: readonly Uint8Array[], wanted: Rendering) =>
  await rendered(files, wanted, async (order) => await renderMusic(order, soundfont))
