#!/usr/bin/env node
// For work in this repository; the published package has a file of its own.
import '../dist/src/main.js'
