// @peculiar/x509 needs this polyfill loaded before it, so everything imports the library from here.
import "reflect-metadata";

export * from "@peculiar/x509";
