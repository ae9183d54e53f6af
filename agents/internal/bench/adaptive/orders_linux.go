package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// orders are given to a part of the lab, which replies to each.
type orders struct {
	to      string // the part
	send    *json.Encoder
	replies *json.Decoder
}

func newOrders(to string, replies io.Reader, send io.Writer) orders {
	return orders{to, json.NewEncoder(send), json.NewDecoder(replies)}
}

// reply is the answer to an order.
type reply struct {
	Failed string          `json:"failed,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
}

// order sends an order and stores the result of its reply.
func (o orders) order(order, result any) error {
	if err := o.send.Encode(order); err != nil {
		return fmt.Errorf("%s: %w", o.to, err)
	}
	return o.receive(result)
}

func (o orders) receive(result any) error {
	var r reply
	err := o.replies.Decode(&r)
	if err == nil && r.Failed != "" {
		err = errors.New(r.Failed)
	}
	if err == nil && result != nil {
		err = json.Unmarshal(r.Result, result)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.to, err)
	}
	return nil
}

// obey is the other end: it replies that the part is ready, and then to each order, until its input ends. In a pod, it
// connects to the conductor instead, and never returns.
func obey[Order any](do func(Order) (any, error)) error {
	if conductor := os.Getenv(ConductorVariable); conductor != "" {
		return obeyConductor(conductor, os.Getenv(PartVariable), do)
	}
	return obeyOver(os.Stdin, os.Stdout, do)
}

func obeyOver[Order any](input io.Reader, output io.Writer, do func(Order) (any, error)) error {
	replies, orders := json.NewEncoder(output), json.NewDecoder(input)
	if err := replies.Encode(reply{}); err != nil {
		return err
	}
	for {
		var order Order
		if err := orders.Decode(&order); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		result, err := do(order)
		var r reply
		if err != nil {
			r.Failed = err.Error()
		} else if r.Result, err = json.Marshal(result); err != nil {
			return err
		}
		if err := replies.Encode(r); err != nil {
			return err
		}
	}
}
