"use strict";
// What the package and this page have in common; Python writes it.

const TABLES = /* written: tables */;
