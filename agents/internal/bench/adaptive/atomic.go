package adaptive

import (
	"math"
	"sync/atomic"
)

type atomicFloat struct{ bits atomic.Uint64 }

func (f *atomicFloat) Load() float64       { return math.Float64frombits(f.bits.Load()) }
func (f *atomicFloat) Store(value float64) { f.bits.Store(math.Float64bits(value)) }
