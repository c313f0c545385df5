import { vendor } from '../../../../../core/sdk/index.js'

export const stranger = vendor({ id: 'stranger', title: 'Stranger', baseUrl: 'https://stranger.example', optIn: true })
