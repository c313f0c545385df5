import { officePairs } from '../../office/contract.js'
import type { Pairs } from './pairs.js'

export const LIBREOFFICE: Pairs = { vendor: 'libreoffice', groups: officePairs() }
