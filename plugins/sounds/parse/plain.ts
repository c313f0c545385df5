import { rendered, type Rendering } from './render.js'

/** Renders a sound without music. */
export default async (files: readonly Uint8Array[], wanted: Rendering) => await rendered(files, wanted, null)
