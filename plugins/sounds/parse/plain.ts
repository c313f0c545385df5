import { rendered, type Rendering } from './render.js'

/** Makes a sound of which no part is music. */
export default async (files: readonly Uint8Array[], wanted: Rendering) => await rendered(files, wanted, null)
