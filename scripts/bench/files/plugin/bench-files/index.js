import { plugin } from 'capstan/sdk'

export const benchFiles = plugin({ name: 'bench-files', version: '1.0.0', sdk: 2, title: 'What the benchmarks of files call' })
