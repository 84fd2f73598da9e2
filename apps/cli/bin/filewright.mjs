#!/usr/bin/env node
// For development in this repository; the published package has its own file.
import '../dist/src/main.js'
