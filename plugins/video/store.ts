import type { Container } from './contract.js'

/** Validity of a link. */
export const LINK_SECONDS = 3600

export const TYPES: Readonly<Record<Container, string>> = { mp4: 'video/mp4', mp3: 'audio/mpeg', m4a: 'audio/mp4' }
